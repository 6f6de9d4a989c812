import { CorruptionError } from './errors.ts';

/** BigInt takes time by the square of its digits, so a hostile number must not be long. */
const INTEGER = /^-?\d{1,40}$/;

/** JSON in which a bigint is `{"$bigint":"123"}`. Throws a TypeError for what is no JSON, such as a cycle or a function. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'bigint' ? { $bigint: String(item) } : item,
  ) as string | undefined;
  if (text === undefined) throw new TypeError(`cannot write a ${typeof value} as JSON`);
  return text;
}

/** What `toJson` was given. Throws `CorruptionError` for a text that is no JSON. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, item: unknown) => bigintOf(item) ?? item);
  } catch (error) {
    throw new CorruptionError(`a record is no JSON: ${(error as Error).message}`);
  }
}

function bigintOf(item: unknown): bigint | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { $bigint: digits } = item as { $bigint?: unknown };
  return typeof digits === 'string' && INTEGER.test(digits) && Object.keys(item).length === 1
    ? BigInt(digits)
    : undefined;
}
