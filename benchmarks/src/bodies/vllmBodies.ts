import { simulateTrace } from '@org/simulator';

/** The scrape interval of a run, in milliseconds. */
export const INTERVAL_MS = 333;

/** Yields the bodies of a simulated vLLM server at 60% of its capacity, scraped every 333 ms. */
export function* generateVllmBodies(
  engines: number,
  seconds: number,
): Generator<{ offsetNs: number; body: Buffer }> {
  const options = { kind: 'vllm', engines, seed: 7, load: 'steady', intervalMs: INTERVAL_MS } as const;
  let originNs: bigint | undefined;
  for (const { timestampNs, body } of simulateTrace({ ...options, durationS: seconds })) {
    originNs ??= timestampNs;
    yield { offsetNs: Number(timestampNs - originNs), body: Buffer.from(body) };
  }
}
