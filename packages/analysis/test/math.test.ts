import { expect, test } from 'vitest';
import { max, mean, sum } from '../src/math.ts';

test.each<[readonly number[], object]>([
  [[1, 2, 6], { sum: 9, mean: 3, highest: 6 }],
  [[-1, -2], { sum: -3, mean: -1.5, highest: -1 }],
  [[], { sum: 0, mean: Number.NaN, highest: Number.NEGATIVE_INFINITY }],
])('computes the sum, mean and maximum of %j', (values, expected) => {
  expect({ sum: sum(values), mean: mean(values), highest: max(values) }).toEqual(expected);
});

test('accepts more values than a function call can have arguments', () => {
  const values = Array.from({ length: 200_000 }, (_, i) => i);
  expect([max(values), sum(values)]).toEqual([199_999, 19_999_900_000]);
});
