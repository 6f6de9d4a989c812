import type { Random } from '@org/core';

/**
 * Returns `count` points of a unit cube such that each of `count` equal slices of each dimension contains one point (McKay,
 * Beckman and Conover, "A comparison of three methods for selecting values of input variables", Technometrics 21, 1979).
 */
export function drawLatinHypercube(count: number, dimensions: number, random: Random): number[][] {
  const columns = Array.from({ length: dimensions }, () => shuffle(count, random));
  return Array.from({ length: count }, (_, point) =>
    columns.map(column => (column[point]! + random.next()) / count),
  );
}

/** Returns the numbers from 0 to `count` - 1 in random order. */
function shuffle(count: number, random: Random): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index);
  for (let index = count - 1; index > 0; index--) {
    const other = random.below(index + 1);
    [numbers[index], numbers[other]] = [numbers[other]!, numbers[index]!];
  }
  return numbers;
}
