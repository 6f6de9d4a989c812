import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeWeightedStats } from '../../src/metrics/weightedStats.ts';

type Pair = readonly [value: number, weight: number];

function computeStats(pairs: readonly Pair[]) {
  const columns = [0, 1].map(column => Float64Array.from(pairs, pair => pair[column as 0 | 1]));
  return computeWeightedStats(columns[0]!, columns[1]!);
}

test('weights each value with the time that it was held', () => {
  expect(
    computeStats([
      [0, 10],
      [4, 30],
      [2, 60],
    ]),
  ).toEqual({
    avg: 2.4,
    p50: 2,
    p90: 4,
    p95: 4,
    p99: 4,
    min: 0,
    max: 4,
    std: Math.sqrt((10 * 2.4 ** 2 + 30 * 1.6 ** 2 + 60 * 0.4 ** 2) / 100),
  });
});

test('a percentile is the smallest value that is held, together with smaller ones, for that share of the time', () => {
  const stats = computeStats([
    [3, 5],
    [1, 50],
    [2, 40],
    [4, 5],
  ]);
  expect(stats).toMatchObject({ p50: 1, p90: 2, p95: 3, p99: 4 });
});

test('without values, all statistics are 0', () => {
  expect(new Set(Object.values(computeStats([])))).toEqual(new Set([0]));
});

test('values with a weight of 0 are ignored', () => {
  expect(
    computeStats([
      [-9, 0],
      [5, 1],
      [99, 0],
      [7, 1],
    ]),
  ).toMatchObject({ avg: 6, min: 5, max: 7, p50: 5, p99: 7 });
});

test('percentiles are exact if a few values are much larger than the others', () => {
  const pairs = Array.from({ length: 1000 }, (_, index): Pair => [1 + index / 1e6, 1]);
  pairs.push([1e12, 1], [0, 1]);
  expect(computeStats(pairs)).toMatchObject({ p50: 1 + 499 / 1e6, p99: 1 + 990 / 1e6, max: 1e12 });
});

test('the percentiles are those that sorting finds', () => {
  const value = fc.oneof(
    fc.integer({ min: 0, max: 20 }),
    fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -1, max: 1, noNaN: true }),
  );
  const pairs = fc.array(fc.tuple(value, fc.integer({ min: 0, max: 1000 })), { maxLength: 200 });
  fc.assert(
    fc.property(pairs, values => {
      const stats = computeStats(values);
      const sorted = values.filter(([, weight]) => weight > 0).sort(([a], [b]) => a - b);
      const total = sorted.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, q] of [
        ['p50', 0.5],
        ['p90', 0.9],
        ['p95', 0.95],
        ['p99', 0.99],
      ] as const) {
        let below = 0;
        const expected = sorted.find(([, weight]) => {
          below += weight;
          return below / total >= q;
        });
        expect(stats[key] === (expected?.[0] ?? 0), `${key} is ${stats[key]}`).toBe(true);
      }
    }),
  );
});
