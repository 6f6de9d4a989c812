import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectWeighted, WeightedValues } from '../../src/metrics/weightedValues.ts';

function computeStats(values: readonly (readonly [value: number, weight: number])[]) {
  const weighted = new WeightedValues();
  for (const [value, weight] of values) weighted.add(value, weight);
  return weighted.takeStats();
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

test('taking the statistics removes the values', () => {
  const weighted = new WeightedValues();
  weighted.add(5, 1);
  weighted.takeStats();
  weighted.add(5, 1);
  weighted.add(7, 1);
  expect(weighted.takeStats()).toMatchObject({ avg: 6, min: 5, max: 7 });
});

test('the selected value is the one that sorting finds', () => {
  const pair = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 1000 }));
  const pairs = fc.array(pair, { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(pairs, fc.constantFrom(0.5, 0.9, 0.95, 0.99), (values, q) => {
      const sorted = [...values].sort(([a], [b]) => a - b);
      const total = sorted.reduce((sum, [, weight]) => sum + weight, 0);
      let below = 0;
      const expected = sorted.find(([, weight]) => {
        below += weight;
        return below / total >= q;
      })![0];
      const columns = [0, 1].map(column => Float64Array.from(values, item => item[column as 0 | 1]));
      expect(selectWeighted(columns[0]!, columns[1]!, q, total)).toBe(expected);
    }),
  );
});
