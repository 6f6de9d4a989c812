import { readLines } from './fileLines.ts';
import { InputError, withPlace } from './inputError.ts';

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses each line of a JSONL file, skipping empty lines. Rejects with an `InputError` that starts with
 * `path:line` if a line is invalid.
 */
export async function readJsonLines<T>(
  path: string,
  parse: (line: Fields, number: number) => T,
): Promise<T[]> {
  const parsed: T[] = [];
  let number = 0;
  for await (const line of readLines(path)) {
    number += 1;
    if (line.trim() === '') continue;
    const lineNumber = number;
    parsed.push(withPlace(`${path}:${number}`, () => parse(parseJsonObject(line), lineNumber)));
  }
  return parsed;
}

/** Parses a JSON object. Throws an `InputError` for any other text. */
export function parseJsonObject(text: string, name = 'the line'): Fields {
  const json = parseJson(text);
  if (!isObject(json)) throw new InputError(`${name} is not a JSON object`);
  return json;
}

function parseJson(text: string): unknown {
  try {
    // Editors on Windows write a byte order mark at the start of a file.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new InputError(`invalid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reports whether a JSON value is an object, and not a list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object field, or undefined if it is absent or null. Throws an `InputError` for any other value. */
export function readOptionalObject(fields: Fields, name: string): Fields | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw new InputError(`${name} is ${describeValue(value)}; expected an object`);
  return value;
}

/** Returns a list of objects, or undefined if it is absent or null. Throws an `InputError` for any other value. */
export function readOptionalObjects(fields: Fields, name: string): readonly Fields[] | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject))
    throw new InputError(`${name} is ${describeValue(value)}; expected a list of at least one object`);
  return value;
}

/** Maximum number of characters of a value in a message. */
const MAX_VALUE_CHARACTERS = 80;

/** Formats a value for a message; long values are shortened. */
export function describeValue(value: unknown): string {
  // Integers of 64 bits in Parquet files are read as BigInt, which JSON.stringify refuses.
  if (typeof value === 'bigint') return String(value);
  const toJson = (_: string, item: unknown): unknown => (typeof item === 'bigint' ? String(item) : item);
  const text = JSON.stringify(value, toJson) ?? 'undefined';
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
}

/** Returns a string field, or undefined if it is absent or null. Throws an `InputError` for any other value. */
export function readOptionalText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string')
    throw new InputError(`${name} is ${JSON.stringify(value)}; expected a string`);
  return value;
}

/**
 * Returns a non-negative number field, or undefined if it is absent or null. Throws an `InputError` for any
 * other value.
 */
export function readOptionalNumber(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !(value >= 0))
    throw new InputError(`${name} is ${JSON.stringify(value)}; expected a number of at least 0`);
  return value;
}

/**
 * Returns the delay after the previous response, in ms; undefined if it is absent or 0. Throws an `InputError` if
 * the turn also has a timestamp, because only one of them would be used.
 */
export function readDelay(fields: Fields): number | undefined {
  const delayMs = readOptionalNumber(fields, 'delay') || undefined;
  if (delayMs !== undefined) checkAlternatives(fields, ['timestamp', 'delay']);
  return delayMs;
}

/** Throws an `InputError` if the first turn of a conversation, at a place such as `FILE:LINE`, has a delay. */
export function checkFirstTurn(place: string, delayMs: number | undefined): void {
  if (delayMs === undefined) return;
  throw new InputError(
    `${place}: delay is ${delayMs}, but a delay follows the previous response, and this is the first turn of its conversation; use timestamp instead`,
  );
}

/** Fields of AIPerf's formats for contents that cannot be sent. */
const UNSUPPORTED_CONTENT = /^(?:image|audio|video)s?$/;

/**
 * Throws an `InputError` if an object has other fields than `names`, because they would not be sent. Fields that
 * are null count as absent.
 */
export function checkFields(fields: Fields, names: readonly string[]): void {
  const unknown = Object.keys(fields).find(name => !names.includes(name) && fields[name] !== null);
  if (unknown === undefined) return;
  throw new InputError(
    UNSUPPORTED_CONTENT.test(unknown)
      ? `field ${JSON.stringify(unknown)} is not supported in this format`
      : `unknown field ${JSON.stringify(unknown)}; expected one of ${names.join(', ')}`,
  );
}

/** Throws an `InputError` if several of the fields are present, because only one of them would be used. */
export function checkAlternatives(fields: Fields, names: readonly string[]): void {
  const present = names.filter(name => fields[name] !== undefined && fields[name] !== null);
  if (present.length > 1)
    throw new InputError(`the fields ${present.join(' and ')} exclude each other; set only one of them`);
}
