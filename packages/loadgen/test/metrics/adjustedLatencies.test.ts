import { expect, test } from 'vitest';
import { adjustLatencies } from '../../src/metrics/adjustedLatencies.ts';
import { Distribution } from '../../src/metrics/distribution.ts';

function createDistribution(count: number, maxExactValues?: number): Distribution {
  const latencies = new Distribution(maxExactValues);
  for (let value = count; value >= 1; value--) latencies.add(value);
  return latencies;
}

test('failed requests count as infinitely slow, and infinite percentiles are omitted', () => {
  expect(adjustLatencies(createDistribution(60), 40)).toEqual({
    min: 1,
    count: 100,
    p1: 2,
    p5: 6,
    p10: 11,
    p25: 26,
    p50: 51,
  });
});

test('a percentile is the nearest value; between two values, the one with the even rank', () => {
  // With 11 values, p5 has the rank 0.5, p25 the rank 2.5 and p75 the rank 7.5.
  expect(adjustLatencies(createDistribution(10), 1)).toMatchObject({ p5: 1, p25: 3, p75: 9, p90: 10 });
});

test('without a finite percentile, only the minimum and the count remain', () => {
  expect(adjustLatencies(createDistribution(1), 1000)).toEqual({ min: 1, count: 1001 });
});

test('percentiles are estimated above the limit of exact values', () => {
  const { p50, p90, p95, min } = adjustLatencies(createDistribution(9000, 1000), 1000);
  expect(min).toBe(1);
  expect(Math.abs(p50! - 5000)).toBeLessThan(90);
  expect(Math.abs(p90! - 9000)).toBeLessThan(90);
  expect(p95).toBeUndefined();
});
