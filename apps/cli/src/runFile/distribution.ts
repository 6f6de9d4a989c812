import { parseDistribution, type ValueDistribution } from '@org/loadgen';
import type { Path } from '@org/terminal/userFile';
import type { Field, RunFileReader } from './field.ts';

/**
 * Creates a field for a distribution with one option for its mean and one for its standard deviation. A distribution of
 * another kind, or with limits, is set as the mean, in JSON.
 */
export function distribution(meanOption: string, stddevOption: string): Field {
  return (value, path, reader) => {
    const parsed = readDistribution(value, path, reader);
    if (!parsed) return;
    if (!isNormal(parsed)) return reader.set(meanOption, [JSON.stringify(value)], path);
    const { mean, stddev = 0 } = parsed;
    reader.set(meanOption, [String(mean)], path);
    if (stddev > 0) reader.set(stddevOption, [String(stddev)], path);
  };
}

/** Reports whether a distribution is a normal distribution without limits. */
export function isNormal({ median, parts, min, max }: ValueDistribution): boolean {
  return [median, parts, min, max].every(value => value === undefined);
}

/** Reads a distribution. Reports an invalid one, and returns undefined. */
export function readDistribution(
  value: unknown,
  path: Path,
  reader: RunFileReader,
): ValueDistribution | undefined {
  try {
    return parseDistribution(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    reader.report(path, `is not a distribution: ${error.message}`);
    return undefined;
  }
}
