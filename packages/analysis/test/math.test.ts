import { expect, test } from 'vitest';
import { max, mean, min, sum } from '../src/math.ts';

test.each<[readonly number[], object]>([
  [[1, 2, 6], { sum: 9, mean: 3, lowest: 1, highest: 6 }],
  [[-1, -2], { sum: -3, mean: -1.5, lowest: -2, highest: -1 }],
  [[], { sum: 0, mean: Number.NaN, lowest: Number.POSITIVE_INFINITY, highest: Number.NEGATIVE_INFINITY }],
])('computes the sum, mean and extremes of %j', (values, expected) => {
  expect({ sum: sum(values), mean: mean(values), lowest: min(values), highest: max(values) }).toEqual(
    expected,
  );
});

test('accepts more values than a function call can have arguments', () => {
  const values = Array.from({ length: 200_000 }, (_, i) => i);
  expect([min(values), max(values), sum(values)]).toEqual([0, 199_999, 19_999_900_000]);
});
