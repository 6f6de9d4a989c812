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
