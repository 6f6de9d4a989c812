import { expect, test } from 'vitest';
import {
  computeChunkErrorsMs,
  computeErrorFigures,
  computeTimestampFigures,
  toErrorQuantiles,
} from '../../src/loadgen/errorFigures.ts';

const createTimes = (ttft: number) => ({ ttft, itl: 1e6, latency: 2 * ttft });

test('returns quantiles of errors in milliseconds, with three decimal places', () => {
  const errors = Array.from({ length: 100 }, (_, index) => index / 7);
  expect(toErrorQuantiles(errors)).toEqual({
    error_p1_ms: 0.143,
    error_p50_ms: 7.143,
    error_p99_ms: 14.143,
  });
});

test('computes the errors of one metric, and the share within the tolerance', () => {
  const pairs = [
    [createTimes(5.25e6), createTimes(5e6)],
    [createTimes(8e6), createTimes(5e6)],
    [createTimes(5e6), createTimes(5e6)],
    [createTimes(1.005e9), createTimes(1e9)],
  ] as const;
  // The errors are 0.25, 3, 0 and 5 ms. The error of 5 ms is 0.5% of the actual time.
  expect(computeErrorFigures('ttft', pairs)).toEqual({
    requests: 4,
    error_p1_ms: 0,
    error_p50_ms: 3,
    error_p99_ms: 5,
    share_within_1_ms_or_1_percent: 0.75,
  });
  expect(computeErrorFigures('itl', pairs)).toMatchObject({
    error_p99_ms: 0,
    share_within_1_ms_or_1_percent: 1,
  });
});

test('computes the errors of chunk timestamps after the first quarter of each stream', () => {
  const origin = 1_000_000_000n;
  const writeTimesMs = [10, 20, 30, 40];
  const record = {
    text: { output: writeTimesMs.map(ms => `${origin + BigInt(ms * 1e6)} `).join(''), reasoning: '' },
    arrivals: { pieces: 4, timesNs: Float64Array.of(99e6, 20.5e6, 30e6, 42e6) },
  } as unknown as Parameters<typeof computeChunkErrorsMs>[0][number];
  expect(computeChunkErrorsMs([record, record], origin)).toEqual([0.5, 0, 2, 0.5, 0, 2]);
});

test('counts timestamps that are up to 1 ms early or late as accurate', () => {
  expect(computeTimestampFigures([-2, -1, 0, 1])).toEqual({
    tokens: 4,
    error_p1_ms: -2,
    error_p50_ms: 0,
    error_p99_ms: 1,
    share_within_1_ms: 0.75,
  });
});
