import type { Random } from '@org/core';
import { MAX_TEXT_TOKENS } from './textGenerator.ts';

/** A normal distribution of lengths or times. Drawn values are rounded, and clamped to the valid range. */
export interface NormalDistribution {
  readonly mean: number;
  readonly stddev?: number;
}

/** Draws an integer from `min` to `max`. */
export function drawInteger(
  { mean, stddev = 0 }: NormalDistribution,
  min: number,
  random: Random,
  max: number = MAX_TEXT_TOKENS,
): number {
  const value = stddev === 0 ? mean : mean + stddev * random.normal();
  return Math.min(max, Math.max(min, Math.round(value)));
}
