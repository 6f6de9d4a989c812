import { expect, test } from 'vitest';
import { computeCliffsDelta, countWins } from '../../../src/compare/significance/wins.ts';

test.each<[readonly number[], readonly number[], number, number]>([
  [[1, 2], [3, 4], 4, 1],
  [[3, 4], [1, 2], 0, -1],
  [[1, 2, 3], [2], 1.5, 0],
  [[5, 5], [5, 5, 5], 3, 0],
  [[10, 9, 2], [3, 11], 4, 1 / 3],
])('of the pairs of %j and %j, the second value is higher in %d', (base, other, wins, delta) => {
  expect(countWins(base, other)).toBe(wins);
  expect(computeCliffsDelta(base, other)).toBeCloseTo(delta, 12);
});

test('compares all pairs of long runs in a short time', () => {
  const base = Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 200_000);
  expect(countWins(base, base)).toBe(base.length ** 2 / 2);
});
