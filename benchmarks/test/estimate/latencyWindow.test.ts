import { expect, test } from 'vitest';
import { createLatencyWindow } from '../../src/estimate/latencyWindow.ts';

test('creates the same window for the same arguments', () => {
  expect(createLatencyWindow(50, 10)).toEqual(createLatencyWindow(50, 10));
  expect(createLatencyWindow(50, 10).sums).not.toEqual(createLatencyWindow(50, 11).sums);
});

test('contains log-normal latencies at the given rate', () => {
  const { counts, sums, timesNs } = createLatencyWindow(301, 50);
  expect(counts[0]).toBe(0);
  expect(counts.at(-1)! / (timesNs.at(-1)! / 1e9)).toBeCloseTo(50, 0);
  // The mean of a log-normal distribution is median * exp(sigma^2 / 2), here with sigma 0.8.
  expect(sums.at(-1)! / counts.at(-1)!).toBeCloseTo(4 * Math.exp(0.32), 0);
});

test('contains cumulative buckets, the last of which equals the count', () => {
  const { bounds, counts, cumulative } = createLatencyWindow(100, 30);
  expect(bounds).toHaveLength(22);
  for (let row = 0; row < 100; row++) {
    const buckets = cumulative.map(column => column[row]!);
    expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
    expect(buckets.at(-1)).toBe(counts[row]);
  }
});
