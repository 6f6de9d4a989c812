import type { Path } from '@org/terminal/userFile';
import { type Field, getField, isMapping, type RunFileReader } from './field.ts';
import { readScalar } from './fields.ts';

/** A part of a distribution: a normal distribution with a share of the values. */
export interface Component {
  readonly mean: number;
  readonly stddev: number;
  /** Relative weight; the weights do not have to add up to 1. */
  readonly weight: number;
}

/** Creates a field for a distribution with one option for its mean and one for its standard deviation. */
export function distribution(meanOption: string, stddevOption: string): Field {
  return (value, path, reader) => {
    if (!isMapping(value)) {
      const text = readScalar(value, path, reader);
      if (text !== undefined) setNormal({ mean: text }, path);
      return;
    }
    const components = readComponents(value, path, reader);
    if (components?.length === 1)
      setNormal({ mean: String(components[0]!.mean), stddev: String(components[0]!.stddev) }, path);
    else if (components) reader.reportMissing(path, 'use a mean and a standard deviation');

    function setNormal({ mean, stddev = '0' }: { mean: string; stddev?: string }, at: Path): void {
      reader.set(meanOption, [mean], at);
      if (Number(stddev) > 0) reader.set(stddevOption, [stddev], at);
    }
  };
}

/**
 * Reads a distribution as a sum of normal distributions: a number, `value`, `mean` with `stddev`, `peaks` or `points`.
 * Reports other distributions and returns undefined.
 */
export function readComponents(
  value: unknown,
  path: Path,
  reader: RunFileReader,
): readonly Component[] | undefined {
  if (!isMapping(value)) {
    const mean = readNumber(value, path, reader);
    return mean === undefined ? undefined : [{ mean, stddev: 0, weight: 1 }];
  }
  const known = ['mean', 'stddev', 'value', 'median', 'peaks', 'points', 'weight', 'type', 'distribution'];
  const unknown = Object.keys(value).find(key => ![...known, 'min', 'max'].includes(key));
  if (unknown !== undefined) {
    reader.reportUnknownKey(path, unknown, known);
    return undefined;
  }
  for (const key of ['min', 'max', 'median'])
    if (getField(value, key)) {
      reader.reportMissing([...path, key], 'use a mean and a standard deviation');
      return undefined;
    }
  return readList(value, path, reader) ?? readNormal(value, path, reader);
}

/** Reads `peaks` or `points`; undefined if the distribution has neither. */
function readList(
  value: Readonly<Record<string, unknown>>,
  path: Path,
  reader: RunFileReader,
): readonly Component[] | undefined {
  const key = ['peaks', 'points'].find(name => value[name] !== undefined);
  if (key === undefined) return undefined;
  const items = value[key];
  if (!Array.isArray(items)) {
    reader.report([...path, key], 'has an unexpected type; expected a list');
    return [];
  }
  return items.flatMap((item, index) => {
    const itemPath = [...path, key, index];
    const parts = readComponents(
      isMapping(item) && item.distribution ? item.distribution : item,
      itemPath,
      reader,
    );
    const weight =
      isMapping(item) && item.weight !== undefined ? readNumber(item.weight, itemPath, reader) : 1;
    return (parts ?? []).map(part => ({ ...part, weight: part.weight * (weight ?? 1) }));
  });
}

function readNormal(
  value: Readonly<Record<string, unknown>>,
  path: Path,
  reader: RunFileReader,
): readonly Component[] | undefined {
  const key = value.mean === undefined ? 'value' : 'mean';
  if (value[key] === undefined) {
    reader.report(path, 'is not a distribution; expected a number, {mean, stddev}, {peaks} or {points}');
    return undefined;
  }
  const mean = readNumber(value[key], [...path, key], reader);
  const stddev = value.stddev == null ? 0 : readNumber(value.stddev, [...path, 'stddev'], reader);
  return mean === undefined || stddev === undefined ? undefined : [{ mean, stddev, weight: 1 }];
}

function readNumber(value: unknown, path: Path, reader: RunFileReader): number | undefined {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isFinite(number) && number >= 0 && typeof value !== 'boolean') return number;
  reader.report(path, 'is not a number; expected a number of at least 0');
  return undefined;
}
