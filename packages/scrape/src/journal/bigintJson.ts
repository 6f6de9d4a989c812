import { CorruptionError } from './format.ts';

/**
 * Pattern of the integers to parse. Parsing a bigint takes quadratic time, so long digit strings in a damaged
 * file are not parsed.
 */
const INTEGER = /^-?\d{1,40}$/;

/**
 * Serializes a value as JSON, with bigints as `{"$bigint":"123"}`. Throws a TypeError for values that JSON
 * cannot represent, such as cyclic objects and functions.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'bigint' ? { $bigint: String(item) } : item,
  ) as string | undefined;
  if (text === undefined) throw new TypeError(`cannot write a ${typeof value} as JSON`);
  return text;
}

/** Parses the output of `toJson`. Throws `CorruptionError` for invalid JSON. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, item: unknown) => toBigint(item) ?? item);
  } catch (error) {
    throw new CorruptionError(`a record has invalid JSON: ${(error as Error).message}`);
  }
}

/** Returns the bigint of an object such as `{"$bigint":"123"}`; undefined for any other value. */
function toBigint(item: unknown): bigint | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { $bigint: digits } = item as { $bigint?: unknown };
  return typeof digits === 'string' && INTEGER.test(digits) && Object.keys(item).length === 1
    ? BigInt(digits)
    : undefined;
}
