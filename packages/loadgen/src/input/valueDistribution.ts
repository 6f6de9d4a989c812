import type { Random } from '@org/core';
import { MAX_TEXT_TOKENS } from './textGenerator.ts';

/**
 * A distribution of lengths or times: normal, log-normal if it has a median, or a mixture if it has parts. Drawn values are
 * limited to `min` and `max`.
 */
export interface ValueDistribution {
  /** The mean without the limits. */
  readonly mean: number;
  readonly stddev?: number;
  /** Median of a log-normal distribution; at most the mean, and greater than 0. */
  readonly median?: number;
  /** The parts of a mixture. */
  readonly parts?: readonly DistributionPart[];
  readonly min?: number;
  readonly max?: number;
}

/** A distribution with its share in a mixture. */
export interface DistributionPart {
  readonly distribution: ValueDistribution;
  /** Relative weight; the weights of a mixture do not have to add up to 1. */
  readonly weight: number;
}

/** Draws a number. */
export function drawValue(distribution: ValueDistribution, random: Random): number {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = distribution;
  return Math.min(max, Math.max(min, drawUnlimited(distribution, random)));
}

function drawUnlimited({ mean, stddev = 0, median, parts }: ValueDistribution, random: Random): number {
  if (parts) return drawValue(drawPart(parts, random), random);
  if (median !== undefined) {
    // The mean of a log-normal distribution is median * exp(sigma^2 / 2).
    const sigma = Math.sqrt(2 * Math.log(mean / median));
    return median * Math.exp(sigma * random.normal());
  }
  return stddev === 0 ? mean : mean + stddev * random.normal();
}

function drawPart(parts: readonly DistributionPart[], random: Random): ValueDistribution {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  let rest = random.next() * total;
  for (const { distribution, weight } of parts) {
    rest -= weight;
    if (rest < 0) return distribution;
  }
  return parts.at(-1)!.distribution;
}

/** Draws an integer from `min` to `max`. */
export function drawInteger(
  distribution: ValueDistribution,
  min: number,
  random: Random,
  max: number = MAX_TEXT_TOKENS,
): number {
  return Math.min(max, Math.max(min, Math.round(drawValue(distribution, random))));
}
