import type { Path } from '../json/path.ts';

/** An object of an unchecked document. Rules ignore missing or mistyped fields, which the schema check reports. */
export type Values = Readonly<Record<string, unknown>>;

const PERCENTILE_NUMBERS: readonly number[] = [1, 5, 10, 25, 50, 75, 90, 95, 99];
export const PERCENTILE_KEYS: readonly string[] = PERCENTILE_NUMBERS.map(number => `p${number}`);
export const ESTIMATE_KEYS: readonly string[] = PERCENTILE_KEYS.map(key => `${key}_estimate`);

/** Returns the value if it is an object, and undefined for arrays, null and all other values. */
export function asObject(value: unknown): Values | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined;
}

/** Returns the value if it is an array, and an empty array otherwise. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns an own property. Inherited properties, such as methods, are not fields. */
export function getField(values: Values, key: string): unknown {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** Returns a field if it is an object. */
export function getObject(values: Values, key: string): Values | undefined {
  return asObject(getField(values, key));
}

/** Returns a field if it is a finite number. */
export function getNumber(values: Values, key: string): number | undefined {
  const value = getField(values, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/**
 * Returns a field in nanoseconds if it is an integer. Parsed files contain bigints; objects from a caller may
 * contain numbers.
 */
export function getNanoseconds(values: Values, key: string): bigint | undefined {
  const value = getField(values, key);
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

/** Returns a field if it is a string. */
export function getText(values: Values, key: string): string | undefined {
  const value = getField(values, key);
  return typeof value === 'string' ? value : undefined;
}

/** Lists the members that are objects, with their paths. */
export function listObjects(
  values: Values | undefined,
  path: Path,
): [key: string, value: Values, path: Path][] {
  if (!values) return [];
  return Object.keys(values).flatMap(key => {
    const value = asObject(values[key]);
    return value ? [[key, value, [...path, key]] as [string, Values, Path]] : [];
  });
}

/** Lists the items of an array field that are objects, with their paths. */
export function listObjectItems(values: Values, key: string, path: Path): [value: Values, path: Path][] {
  return asArray(getField(values, key)).flatMap((item, index) => {
    const value = asObject(item);
    return value ? [[value, [...path, key, index]] as [Values, Path]] : [];
  });
}

/** Returns the index of the first item that repeats an earlier item, or -1. Undefined items are ignored. */
export function findRepeated(texts: readonly (string | undefined)[]): number {
  const seen = new Set<string>();
  return texts.findIndex(text => text !== undefined && seen.size === seen.add(text).size);
}

/** Lists the fields that are finite numbers, in the order of `keys`. */
export function listNumbers(values: Values, keys: readonly string[]): [key: string, value: number][] {
  return keys.flatMap(key => {
    const value = getNumber(values, key);
    return value === undefined ? [] : [[key, value] as [string, number]];
  });
}
