import type { Random } from '@org/core';

/** How requests arrive over time. */
export const ARRIVAL_PATTERNS = ['constant', 'poisson', 'gamma'] as const;
export type ArrivalPattern = (typeof ARRIVAL_PATTERNS)[number];

/** Draws the gap to the next arrival, in units of the mean gap. */
export type Gaps = () => number;

/**
 * Gaps with mean 1. `smoothness` is the shape of the gamma distribution: 1 is Poisson, below come bursts, above it grows
 * regular (vLLM calls it burstiness). Throws for a pattern or a shape that cannot be.
 */
export function gapsOf(pattern: ArrivalPattern, smoothness: number, random: Random): Gaps {
  switch (pattern) {
    case 'constant':
      return () => 1;
    case 'poisson':
      return () => random.exponential(1);
    case 'gamma':
      if (!(smoothness > 0 && Number.isFinite(smoothness)))
        throw new RangeError(`smoothness is ${smoothness}; a number above 0 is accepted`);
      return () => random.gamma(smoothness, 1 / smoothness);
    default:
      throw new RangeError(
        `arrival pattern is ${JSON.stringify(pattern)}; ${ARRIVAL_PATTERNS.join(', ')} are accepted`,
      );
  }
}
