import { lowerBound, upperBound } from '@org/core';

/** Counts the pairs in which the value of `other` is higher than that of `base`. Equal values count half. */
export function countWins(base: readonly number[], other: readonly number[]): number {
  const sorted = Float64Array.from(base).sort();
  let wins = 0;
  for (const value of other) wins += (lowerBound(sorted, value) + upperBound(sorted, value)) / 2;
  return wins;
}

/**
 * Returns the share of pairs in which `other` is higher, minus the share in which it is lower (Cliff's delta); NaN
 * without pairs.
 */
export function computeCliffsDelta(base: readonly number[], other: readonly number[]): number {
  const pairs = base.length * other.length;
  return (2 * countWins(base, other) - pairs) / pairs;
}
