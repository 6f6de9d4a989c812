import { parseDistribution, type ValueDistribution } from '@org/loadgen';
import { UsageError } from '@org/terminal';
import { formatOptionValue, type RawOptions, readNumber } from '@org/terminal/program';
import { withRangeErrors } from './rangeErrors.ts';

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
 * Reads --NAME-mean and --NAME-stddev. The mean may be a distribution in the schema of AIPerf, as JSON. Returns undefined
 * if there is no mean and no `defaultMean`. Throws `UsageError` if an option is invalid, or if the standard deviation is
 * set without a mean.
 */
export function readDistribution(
  raw: RawOptions,
  name: string,
  { min = 1, max = MAX_VALUE, defaultMean }: DistributionRange = {},
): ValueDistribution | undefined {
  if (isJson(raw[`${name}-mean`])) return readJsonDistribution(raw, name);
  const mean = readNumber(raw, `${name}-mean`, { min, max }) ?? defaultMean;
  const stddev = readNumber(raw, `${name}-stddev`, { min: 0, max }) ?? 0;
  if (mean !== undefined) return { mean, stddev };
  if (stddev > 0) throw new UsageError(`--${name}-stddev requires --${name}-mean`);
  return undefined;
}

/** Reports whether the value of an option is a distribution, instead of a number or a list of numbers. */
export function isJson(value: unknown): boolean {
  return typeof value === 'string' && value.trimStart().startsWith('{');
}

function readJsonDistribution(raw: RawOptions, name: string): ValueDistribution {
  const option = `${name}-mean`;
  const text = String(raw[option]);
  if (raw[`${name}-stddev`] !== undefined)
    throw new UsageError(`cannot use --${name}-stddev with a distribution as --${option}`);
  return withRangeErrors(`invalid --${option} ${formatOptionValue(text)}: `, () =>
    parseDistribution(parseJson(text)),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RangeError(
      'not valid JSON; expected a number, or a distribution such as {"mean":512,"median":400}',
    );
  }
}
