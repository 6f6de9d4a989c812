import type { Random } from '@org/core';

/** The distributions of the time between requests. */
export const ARRIVAL_PATTERNS = ['constant', 'poisson', 'gamma'] as const;
export type ArrivalPattern = (typeof ARRIVAL_PATTERNS)[number];

/** Draws the gap to the next arrival, in units of the mean gap. */
export type GapSource = () => number;

/**
 * Creates a source of gaps with mean 1. `smoothness` is the shape of the gamma distribution: 1 is Poisson, lower values give
 * bursts, higher values regular arrivals (vLLM calls it burstiness). Throws for an unknown pattern or an invalid shape.
 */
export function createGapSource(pattern: ArrivalPattern, smoothness: number, random: Random): GapSource {
  switch (pattern) {
    case 'constant':
      return () => 1;
    case 'poisson':
      return () => random.exponential(1);
    case 'gamma':
      if (!(smoothness > 0 && Number.isFinite(smoothness)))
        throw new RangeError(`smoothness is ${smoothness}; expected a number above 0`);
      return () => random.gamma(smoothness, 1 / smoothness);
    default:
      throw new RangeError(
        `arrival pattern is ${JSON.stringify(pattern)}; expected one of ${ARRIVAL_PATTERNS.join(', ')}`,
      );
  }
}
