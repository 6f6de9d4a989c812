import type { Path } from '../json/path.ts';

/** An object of a document that may be anything: rules look at what is there and leave the rest to the schema. */
export type Values = Readonly<Record<string, unknown>>;

export const percentileNumbers: readonly number[] = [1, 5, 10, 25, 50, 75, 90, 95, 99];
export const percentileKeys: readonly string[] = percentileNumbers.map(number => `p${number}`);
export const estimateKeys: readonly string[] = percentileKeys.map(key => `${key}_estimate`);

/** The value as an object; undefined for arrays, null and everything else. */
export function asObject(value: unknown): Values | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The own field of that name; an object's methods are not fields. */
export function field(values: Values, key: string): unknown {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

export function objectAt(values: Values, key: string): Values | undefined {
  return asObject(field(values, key));
}

/** The field as a number, if it is a finite one. */
export function numberAt(values: Values, key: string): number | undefined {
  const value = field(values, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The field as nanoseconds, if it is an integer: a bigint from a text, perhaps a number in an object of a caller. */
export function nanosecondsAt(values: Values, key: string): bigint | undefined {
  const value = field(values, key);
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

export function textAt(values: Values, key: string): string | undefined {
  const value = field(values, key);
  return typeof value === 'string' ? value : undefined;
}

/** Own members that are objects, with their path. */
export function objectsIn(
  values: Values | undefined,
  path: Path,
): [key: string, value: Values, path: Path][] {
  if (!values) return [];
  return Object.keys(values).flatMap(key => {
    const value = asObject(values[key]);
    return value ? [[key, value, [...path, key]] as [string, Values, Path]] : [];
  });
}

/** Items that are objects, with their path. */
export function objectItems(values: Values, key: string, path: Path): [value: Values, path: Path][] {
  return asArray(field(values, key)).flatMap((item, index) => {
    const value = asObject(item);
    return value ? [[value, [...path, key, index]] as [Values, Path]] : [];
  });
}

/** Where the first text stands that was there before; -1 without one. What is undefined is passed over. */
export function repeatedAt(texts: readonly (string | undefined)[]): number {
  const seen = new Set<string>();
  return texts.findIndex(text => text !== undefined && seen.size === seen.add(text).size);
}

/** Those of the fields that are finite numbers, in the order of `keys`. */
export function numbersAt(values: Values, keys: readonly string[]): [key: string, value: number][] {
  return keys.flatMap(key => {
    const value = numberAt(values, key);
    return value === undefined ? [] : [[key, value] as [string, number]];
  });
}
