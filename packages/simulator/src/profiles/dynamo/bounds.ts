/** Bucket bounds of Dynamo's histograms, copied from the metrics pages of Dynamo 1.6.1. */

/** Prompt lengths, in tokens. */
export const INPUT_BOUNDS: readonly number[] = [
  0, 100, 210, 430, 870, 1800, 3600, 7400, 15000, 31000, 63000, 130000,
];
/** Response lengths, in tokens. */
export const OUTPUT_BOUNDS: readonly number[] = [0, 100, 210, 430, 880, 1800, 3700, 7600, 16000, 32000];
/** Inter-token latency in the frontend, in seconds. */
export const INTER_TOKEN_BOUNDS: readonly number[] = [
  0, 0.0018, 0.0033, 0.0059, 0.011, 0.02, 0.035, 0.064, 0.12, 0.21, 0.38, 0.69, 1.2, 2.3, 4.1, 7.4, 13, 24,
  44, 80,
];
/** Inter-token latency in the router, in seconds. */
export const ROUTER_INTER_TOKEN_BOUNDS: readonly number[] = [
  0, 0.0019, 0.0035, 0.0067, 0.013, 0.024, 0.045, 0.084, 0.16, 0.3, 0.56, 1.1, 2,
];
/** Time to first token, in seconds. */
export const FIRST_TOKEN_BOUNDS: readonly number[] = [
  0, 0.0022, 0.0047, 0.01, 0.022, 0.047, 0.1, 0.22, 0.47, 1, 2.2, 4.7, 10, 22, 48, 100, 220, 480,
];
/** Request duration in the frontend, in seconds. */
export const REQUEST_BOUNDS: readonly number[] = [0, 2, 4, 8, 16, 32, 64, 130, 260, 510];
/** Request duration in a worker, in seconds. */
export const WORKER_REQUEST_BOUNDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600,
];
/** Images, videos or audio clips in a request. */
export const MEDIA_BOUNDS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30, 40, 50, 100];
/** Tokens that stand for the images of a request. */
export const IMAGE_TOKEN_BOUNDS: readonly number[] = Array.from({ length: 15 }, (_, i) => 2 ** (i + 2));

/** Stages of a request in the frontend, in seconds. */
export const STAGE_BOUNDS: readonly number[] = [
  0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5,
];
/** Application of the chat template, in seconds. */
export const TEMPLATE_BOUNDS: readonly number[] = [
  0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05,
];
/** Short steps such as tokenization and sending, in seconds. */
export const SHORT_STEP_BOUNDS: readonly number[] = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1];
/** Tokenization and detokenization, in milliseconds. */
export const TOKENIZER_BOUNDS: readonly number[] = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
/** Delay of the event loop, in seconds. */
export const EVENT_LOOP_BOUNDS: readonly number[] = [0, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
/** Time from sending a request to a worker until its first response, in seconds. */
export const ROUND_TRIP_BOUNDS: readonly number[] = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

/** Wait for a free slot of a worker, in seconds. */
export const PERMIT_BOUNDS: readonly number[] = [0.0001, 0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];
/** Time until the first response of a worker, in seconds. */
export const FIRST_RESPONSE_BOUNDS: readonly number[] = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/** Hashing in the router, in milliseconds. */
export const HASHING_BOUNDS: readonly number[] = Array.from({ length: 15 }, (_, i) => 2 ** i / 1000);
/** Overhead of the router, in milliseconds: powers of 3 with the server's rounding errors. */
export const OVERHEAD_BOUNDS: readonly number[] = listPowers(0.01, 3, 17);
/** Hit rates from 0 to 1, with the server's rounding errors. */
export const HIT_RATE_BOUNDS: readonly number[] = Array.from({ length: 21 }, (_, i) => i * 0.05);
/** Estimated duration of the transfer of a KV cache, in seconds. */
export const TRANSFER_BOUNDS: readonly number[] = [
  0, 0.0019, 0.0037, 0.0072, 0.014, 0.027, 0.052, 0.1, 0.19, 0.37, 0.72, 1.4, 2.7, 5.2, 10,
];
/** Blocks that another worker has cached and the chosen one has not. */
export const LOST_BLOCK_BOUNDS: readonly number[] = Array.from({ length: 16 }, (_, i) => 2 ** (i - 2));
/** Blocks in a shared cache. */
export const SHARED_BLOCK_BOUNDS: readonly number[] = Array.from({ length: 12 }, (_, i) => 2 ** i);
/** Messages to the router's index per request. */
export const MESSAGE_BOUNDS: readonly number[] = Array.from({ length: 16 }, (_, i) => i + 1);
/** Wait for the router's index, in seconds. */
export const MUTATION_WAIT_BOUNDS: readonly number[] = [
  0, 0.0000025, 0.0000063, 0.000016, 0.00004, 0.0001, 0.00025, 0.00063, 0.0016, 0.004, 0.01, 0.025, 0.063,
  0.16, 0.4, 1,
];

function listPowers(first: number, factor: number, count: number): readonly number[] {
  const powers = [first];
  while (powers.length < count) powers.push(powers.at(-1)! * factor);
  return powers;
}
