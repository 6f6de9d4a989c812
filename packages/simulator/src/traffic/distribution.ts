import type { Random } from '@org/core';

/** A distribution of positive numbers. Drawn values are clamped to `min` and `max`. */
export type Distribution = (
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'uniform'; readonly low: number; readonly high: number }
  | { readonly kind: 'exponential'; readonly mean: number }
  | { readonly kind: 'lognormal'; readonly median: number; readonly sigma: number }
  | { readonly kind: 'gamma'; readonly shape: number; readonly scale: number }
) & { readonly min?: number; readonly max?: number };

/** Draws one value from a distribution. */
export function draw(distribution: Distribution, random: Random): number {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = distribution;
  return Math.min(max, Math.max(min, drawUnclamped(distribution, random)));
}

function drawUnclamped(distribution: Distribution, random: Random): number {
  switch (distribution.kind) {
    case 'constant':
      return distribution.value;
    case 'uniform':
      return random.uniform(distribution.low, distribution.high);
    case 'exponential':
      return random.exponential(distribution.mean);
    case 'lognormal':
      return random.lognormal(distribution.median, distribution.sigma);
    case 'gamma':
      return random.gamma(distribution.shape, distribution.scale);
  }
}
