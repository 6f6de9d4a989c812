import { expect, test } from 'vitest';
import { computeMedian, computeQuantile, round } from '../../src/measure/numbers.ts';

test.each([
  [1.5, undefined, 2],
  [0.12345, 3, 0.123],
  [-2.05, 0, -2],
  [1234.5, 1, 1234.5],
])('rounds %d to %s decimal places: %d', (value, digits, expected) => {
  expect(round(value, digits)).toBe(expected);
});

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 3],
  [[10, 9, 100], 10],
  [[], Number.NaN],
])('the median of %j is %d', (values, expected) => {
  expect(computeMedian(values)).toBe(expected);
});

test.each([
  [[5, 1, 4, 2, 3], 0, 1],
  [[5, 1, 4, 2, 3], 0.5, 3],
  [[5, 1, 4, 2, 3], 0.99, 5],
  [[5, 1, 4, 2, 3], 1, 5],
  [[100, 20, 3], 0.34, 20],
  [[], 0.5, Number.NaN],
])('the values %j have the quantile %d: %d', (values, share, expected) => {
  expect(computeQuantile(values, share)).toBe(expected);
});

test('computeMedian and computeQuantile do not modify their arguments', () => {
  const values = [3, 1, 2];
  computeMedian(values);
  computeQuantile(values, 0.5);
  expect(values).toEqual([3, 1, 2]);
});
