/**
 * Bucket bounds as the servers have them. They are facts of the servers, taken from what they expose.
 */

/** 1, 2, 5, 10, 20, ... as far as `largest`: vLLM's buckets for numbers of tokens. */
export function oneTwoFive(largest: number): readonly number[] {
  const bounds: number[] = [];
  for (let power = 1; power <= largest; power *= 10) {
    for (const digit of [1, 2, 5]) if (digit * power <= largest) bounds.push(digit * power);
  }
  return bounds;
}

/** vLLM and TensorRT-LLM, in seconds. */
export const vllmFirstToken: readonly number[] = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640,
  2560,
];
export const vllmInterToken: readonly number[] = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
];
export const vllmRequest: readonly number[] = [
  0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680,
];
export const vllmIterationTokens: readonly number[] = [
  1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
];
export const vllmParamsN: readonly number[] = [1, 2, 5, 10, 20];

/** FastAPI instrumentation in vLLM, in seconds. */
export const httpFine: readonly number[] = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 7.5, 10, 30, 60,
];
export const httpCoarse: readonly number[] = [0.1, 0.5, 1];

/** SGLang, in seconds. */
export const sglangFirstToken: readonly number[] = [
  0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400,
];
export const sglangInterToken: readonly number[] = [
  0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04, 0.06, 0.08, 0.1, 0.2, 0.4, 0.6,
  0.8, 1, 2, 4, 6, 8,
];
export const sglangRequest: readonly number[] = [...sglangFirstToken, 600, 1200, 1800, 2400];
export const sglangQueue: readonly number[] = [
  0, 0.1, 0.2, 0.5, 1, 2, 3, 4, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400, 500, 600, 700,
  800, 900, 1000, 1200, 1400, 1600, 1800, 2000, 2500, 3000,
];
/** From 1 ms on, each 1.62 times the one before, down to the last digit as the server has them. */
export const sglangStage: readonly number[] = [
  0.001, 0.0016200000000000001, 0.0026244000000000007, 0.004251528, 0.006887475360000002,
  0.011157710083200004, 0.018075490334784006, 0.029282294342350097, 0.047437316834607154, 0.07684845327206359,
  0.12449449430074302, 0.20168108076720373, 0.3267233508428701, 0.5292918283654495, 0.8574527619520282,
  1.389073474362286, 2.2502990284669036, 3.6454844261163837, 5.905684770308542, 9.567209327899839,
  15.49887911119774, 25.10818416014034, 40.67525833942735, 65.89391850987231, 106.74814798599316,
  172.93199973730896, 280.1498395744405, 453.84274011059364, 735.2252389791618, 1191.064887146242,
];
export const sglangRetractions: readonly number[] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 75, 100,
];

/** Dynamo's front end: tokens, and seconds. */
export const dynamoInput: readonly number[] = [
  0, 100, 210, 430, 870, 1800, 3600, 7400, 15000, 31000, 63000, 130000,
];
export const dynamoOutput: readonly number[] = [0, 100, 210, 430, 880, 1800, 3700, 7600, 16000, 32000];
export const dynamoInterToken: readonly number[] = [
  0, 0.0019, 0.0035, 0.0067, 0.013, 0.024, 0.045, 0.084, 0.16, 0.3, 0.56, 1.1, 2,
];
export const dynamoFirstToken: readonly number[] = [
  0, 0.0022, 0.0047, 0.01, 0.022, 0.047, 0.1, 0.22, 0.47, 1, 2.2, 4.7, 10, 22, 48, 100, 220, 480,
];
export const dynamoRequest: readonly number[] = [0, 1.9, 3.4, 6.3, 12, 22, 40, 75, 140, 260];
/** The Rust client's own default, which Dynamo's workers keep. In seconds. */
export const rustDefault: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Triton's default for first responses, in ms. */
export const tritonFirstResponse: readonly number[] = [100, 500, 2000, 5000];
