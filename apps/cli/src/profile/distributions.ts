import type { NormalDistribution } from '@org/loadgen';
import { UsageError } from '@org/terminal';
import { type RawOptions, readNumber } from '@org/terminal/program';

/**
 * The maximum of token counts, other counts, and delays in milliseconds. It limits the memory for prompts: 10
 * million tokens take about 60 MB.
 */
export const MAX_VALUE = 1e7;

/** The range of a mean, and its default. */
export interface DistributionRange {
  readonly min?: number;
  readonly max?: number;
  readonly defaultMean?: number;
}

/**
 * Reads --NAME-mean and --NAME-stddev. Returns undefined if there is no mean and no `defaultMean`. Throws
 * `UsageError` if only the standard deviation is set.
 */
export function readDistribution(
  raw: RawOptions,
  name: string,
  { min = 1, max = MAX_VALUE, defaultMean }: DistributionRange = {},
): NormalDistribution | undefined {
  const mean = readNumber(raw, `${name}-mean`, { min, max }) ?? defaultMean;
  const stddev = readNumber(raw, `${name}-stddev`, { min: 0, max }) ?? 0;
  if (mean !== undefined) return { mean, stddev };
  if (stddev > 0) throw new UsageError(`--${name}-stddev requires --${name}-mean`);
  return undefined;
}
