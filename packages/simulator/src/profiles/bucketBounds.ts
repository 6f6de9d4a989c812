/** Bucket bounds of the servers' histograms, copied from their metrics pages. */

/** Returns vLLM's bounds for token counts: 1, 2, 5, 10, 20, ... up to `largest`. */
export function createOneTwoFiveBounds(largest: number): readonly number[] {
  const bounds: number[] = [];
  for (let power = 1; power <= largest; power *= 10) {
    for (const digit of [1, 2, 5]) if (digit * power <= largest) bounds.push(digit * power);
  }
  return bounds;
}

/** Bounds of vLLM and TensorRT-LLM, in seconds or counts. */
export const VLLM_FIRST_TOKEN_BOUNDS: readonly number[] = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640,
  2560,
];
export const VLLM_INTER_TOKEN_BOUNDS: readonly number[] = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
];
export const VLLM_REQUEST_BOUNDS: readonly number[] = [
  0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680,
];
export const VLLM_ITERATION_TOKEN_BOUNDS: readonly number[] = [
  1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
];
/** Bounds of the time that blocks stay in the KV cache, in seconds. */
export const VLLM_RESIDENCY_BOUNDS: readonly number[] = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800,
];
export const VLLM_PARAMS_N_BOUNDS: readonly number[] = [1, 2, 5, 10, 20];

/** Bounds of vLLM's FastAPI instrumentation, in seconds. */
export const HTTP_FINE_BOUNDS: readonly number[] = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 7.5, 10, 30, 60,
];
export const HTTP_COARSE_BOUNDS: readonly number[] = [0.1, 0.5, 1];

/** Bounds of SGLang, in seconds. */
export const SGLANG_FIRST_TOKEN_BOUNDS: readonly number[] = [
  0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400,
];
export const SGLANG_INTER_TOKEN_BOUNDS: readonly number[] = [
  0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04, 0.06, 0.08, 0.1, 0.2, 0.4, 0.6,
  0.8, 1, 2, 4, 6, 8,
];
export const SGLANG_REQUEST_BOUNDS: readonly number[] = [...SGLANG_FIRST_TOKEN_BOUNDS, 600, 1200, 1800, 2400];
export const SGLANG_QUEUE_BOUNDS: readonly number[] = [
  0, 0.1, 0.2, 0.5, 1, 2, 3, 4, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400, 500, 600, 700,
  800, 900, 1000, 1200, 1400, 1600, 1800, 2000, 2500, 3000,
];
/** Powers of 1.62, starting at 1 ms, with the server's rounding errors. */
export const SGLANG_STAGE_BOUNDS: readonly number[] = [
  0.001, 0.0016200000000000001, 0.0026244000000000007, 0.004251528, 0.006887475360000002,
  0.011157710083200004, 0.018075490334784006, 0.029282294342350097, 0.047437316834607154, 0.07684845327206359,
  0.12449449430074302, 0.20168108076720373, 0.3267233508428701, 0.5292918283654495, 0.8574527619520282,
  1.389073474362286, 2.2502990284669036, 3.6454844261163837, 5.905684770308542, 9.567209327899839,
  15.49887911119774, 25.10818416014034, 40.67525833942735, 65.89391850987231, 106.74814798599316,
  172.93199973730896, 280.1498395744405, 453.84274011059364, 735.2252389791618, 1191.064887146242,
];
export const SGLANG_RETRACTION_BOUNDS: readonly number[] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 75, 100,
];

/** Triton's default bounds for the time to the first response, in ms. */
export const TRITON_FIRST_RESPONSE_BOUNDS: readonly number[] = [100, 500, 2000, 5000];

/** Bounds of the SGLang router, in seconds. */
export const SGLANG_ROUTER_BOUNDS: readonly number[] = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 45, 60, 90, 120, 180, 240,
];
