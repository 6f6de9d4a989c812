import { UsageError } from '@org/terminal';

/** Options as yargs parses them. An option that is set several times is a list. */
export type RawOptions = Readonly<Record<string, unknown>>;

/** Returns the value of an option. Throws `UsageError` if it is set several times, by any of its names. */
export function singleValue(raw: RawOptions, name: string): unknown {
  const value = raw[name];
  if (!Array.isArray(value)) return value;
  const values = value.map(item => JSON.stringify(item)).join(' and ');
  throw new UsageError(`--${name} is set ${value.length} times, to ${values}; expected one value`);
}

/** Returns the values of an option that takes a list. */
export function listValue(raw: RawOptions, name: string): string[] {
  const value = raw[name];
  return Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
}

/** Returns a text that is not empty. Throws `UsageError`; `expected` follows "expected". */
export function textValue(raw: RawOptions, name: string, expected: string): string | undefined {
  const value = singleValue(raw, name);
  if (value === undefined) return undefined;
  if (String(value).trim() === '') throw invalidOption(name, value, expected);
  return String(value);
}

/** The numbers that an option accepts. */
export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
  /** An exclusive minimum. */
  readonly above?: number;
  readonly isInteger?: true;
  /** The unit in messages, in the plural. */
  readonly unit?: string;
}

/** Returns a number. Throws `UsageError` if it is out of range. */
export function numberValue(raw: RawOptions, name: string, range: NumberRange): number | undefined {
  const value = singleValue(raw, name);
  if (value === undefined) return undefined;
  const number = parseNumber(value);
  if (isInRange(number, range)) return number;
  throw invalidOption(name, value, describeRange(range));
}

/** Returns a number of seconds. Throws `UsageError` if it is less than `min`. */
export function secondsValue(raw: RawOptions, name: string, min: number): number | undefined {
  return numberValue(raw, name, { min, unit: 'seconds' });
}

/** Returns a number of seconds or, for `inf`, infinity. Throws `UsageError`. */
export function secondsOrInfinity(raw: RawOptions, name: string): number | undefined {
  const value = singleValue(raw, name);
  if (typeof value === 'string' && /^inf(inity)?$/i.test(value.trim())) return Number.POSITIVE_INFINITY;
  try {
    return secondsValue(raw, name, 0);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${error.message}, or inf`) : error;
  }
}

/** Parses a number; NaN if it is invalid. */
export function parseNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/** Creates an error such as `invalid --duration "abc": expected a number of seconds`. */
export function invalidOption(name: string, value: unknown, expected: string): UsageError {
  return new UsageError(`invalid --${name} ${formatRaw(value)}: expected ${expected}`);
}

/** Formats a value of an option as the user typed it. */
export function formatRaw(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** Removes the fields that are undefined. */
export function defined<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function isInRange(
  number: number,
  { min = -Infinity, max = Infinity, above = -Infinity, isInteger }: NumberRange,
) {
  const fits = Number.isFinite(number) && number >= min && number <= max && number > above;
  return fits && (!isInteger || Number.isSafeInteger(number));
}

function describeRange({ min, max, above, isInteger, unit }: NumberRange): string {
  const noun = isInteger ? 'an integer' : unit === undefined ? 'a number' : `a number of ${unit}`;
  if (above !== undefined) return `${noun} greater than ${above}${max === undefined ? '' : `, up to ${max}`}`;
  if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`;
  return min === undefined ? noun : `${noun}, at least ${min}`;
}
