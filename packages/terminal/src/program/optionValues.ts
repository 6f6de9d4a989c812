import { UsageError } from './usageError.ts';

/**
 * Values of options and arguments by name, as `parseCommandLine` returns them: a boolean for a flag, a list
 * for an option that takes several values, otherwise a string.
 */
export type RawOptions = Readonly<Record<string, unknown>>;

/** Reports whether a flag is set. */
export function isSet(raw: RawOptions, name: string): boolean {
  return raw[name] === true;
}

/** Returns the values of an option that takes several values; an empty list if the option is not set. */
export function readList(raw: RawOptions, name: string): string[] {
  const value = raw[name];
  return Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
}

/**
 * Returns the text of an option; undefined if the option is not set. Throws `UsageError` if the text is
 * blank. `expected` describes valid values in the message.
 */
export function readText(raw: RawOptions, name: string, expected: string): string | undefined {
  const value = raw[name];
  if (value === undefined) return undefined;
  if (String(value).trim() === '') throw createOptionError(name, value, expected);
  return String(value);
}

/** The numbers that an option accepts. */
export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
  /** An exclusive minimum. */
  readonly above?: number;
  /** An exclusive maximum. */
  readonly below?: number;
  readonly isInteger?: true;
  /** The unit in messages, in the plural, such as `seconds`. */
  readonly unit?: string;
}

/**
 * Returns the number of an option; undefined if the option is not set. Throws `UsageError` if the value is
 * not a number in the range.
 */
export function readNumber(raw: RawOptions, name: string, range: NumberRange): number | undefined {
  const value = raw[name];
  if (value === undefined) return undefined;
  const number = parseNumber(value);
  if (isInRange(number, range)) return number;
  throw createOptionError(name, value, describeRange(range));
}

/** Maximum of durations in seconds. Timers of more than 2^31 ms would expire at once. */
const MAX_SECONDS = 2_073_600;

/**
 * Returns the seconds of an option; undefined if the option is not set. A unit may follow the number, such as in
 * `500ms`, `30s`, `5m` or `2h`. Throws `UsageError` if the value is not a number from `min` to `MAX_SECONDS`.
 */
export function readSeconds(raw: RawOptions, name: string, min: number): number | undefined {
  const seconds = readNumber({ [name]: parseSeconds(raw[name]) }, name, { min, unit: 'seconds' });
  if (seconds !== undefined && seconds > MAX_SECONDS)
    throw createOptionError(name, raw[name], `at most ${MAX_SECONDS} seconds (24 days)`);
  return seconds;
}

/**
 * Returns the seconds of an option, Infinity for `inf`, or undefined if the option is not set. Throws
 * `UsageError` for other values.
 */
export function readSecondsOrInfinity(raw: RawOptions, name: string): number | undefined {
  const value = raw[name];
  if (typeof value === 'string' && /^inf(inity)?$/i.test(value.trim())) return Number.POSITIVE_INFINITY;
  try {
    return readSeconds(raw, name, 0);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${error.message}, or inf`) : error;
  }
}

/**
 * Returns the size of an option in bytes; undefined if the option is not set. Throws `UsageError` if the
 * value is not a size of at least `min`. `expected` describes valid values in the message.
 */
export function readByteSize(
  raw: RawOptions,
  name: string,
  min: number,
  expected: string,
): number | undefined {
  const value = raw[name];
  if (value === undefined) return undefined;
  const bytes = parseByteSize(value);
  if (bytes >= min && Number.isFinite(bytes)) return bytes;
  throw createOptionError(name, value, expected);
}

/** Number of seconds by name of the unit, in lower case. */
const SECONDS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  sec: 1,
  m: 60,
  min: 60,
  h: 3600,
  hr: 3600,
  hour: 3600,
};

/** Returns the seconds of a duration with a unit, such as 30s; other values are returned as they are. */
export function parseSeconds(value: unknown): unknown {
  const [, digits, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(String(value)) ?? [];
  const factor = Object.hasOwn(SECONDS, unit.toLowerCase()) ? SECONDS[unit.toLowerCase()] : undefined;
  return digits === undefined || factor === undefined ? value : Number(digits) * factor;
}

/** Number of bytes by name of the unit, in lower case. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** Parses a size such as 65536, 512MB or 1.5GiB and returns it in bytes; NaN if it is invalid. */
export function parseByteSize(value: unknown): number {
  const [, digits, unit] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(String(value)) ?? [];
  const name = unit?.toLowerCase() ?? '';
  return Math.floor(Number(digits) * (Object.hasOwn(UNITS, name) ? UNITS[name]! : Number.NaN));
}

/** Parses a number; NaN if it is invalid. */
export function parseNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/** Creates an error such as `invalid --duration "abc": expected a number of seconds`. */
export function createOptionError(name: string, value: unknown, expected: string): UsageError {
  return new UsageError(`invalid --${name} ${formatOptionValue(value)}: expected ${expected}`);
}

/** Maximum length of a value in a message, in characters. */
const MAX_SHOWN_CHARACTERS = 200;

/** Formats the value of an option for messages. A string is quoted, and truncated if it is long. */
export function formatOptionValue(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  const shown = value.length > MAX_SHOWN_CHARACTERS ? `${value.slice(0, MAX_SHOWN_CHARACTERS)}…` : value;
  return JSON.stringify(shown);
}

/** Reports whether a number is in a range. NaN and infinities are not in any range. */
function isInRange(
  number: number,
  { min = -Infinity, max = Infinity, above = -Infinity, below = Infinity, isInteger }: NumberRange,
): boolean {
  const isWithinBounds =
    Number.isFinite(number) && number >= min && number <= max && number > above && number < below;
  return isWithinBounds && (!isInteger || Number.isSafeInteger(number));
}

/** Describes a range, such as `an integer of at least 1` or `a number of seconds greater than 0`. */
function describeRange({ min, max, above, below, isInteger, unit }: NumberRange): string {
  const noun = isInteger ? 'an integer' : unit === undefined ? 'a number' : `a number of ${unit}`;
  if (above !== undefined && below !== undefined) return `${noun} between ${above} and ${below}`;
  if (above !== undefined) return `${noun} greater than ${above}${max === undefined ? '' : `, up to ${max}`}`;
  if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`;
  if (min === undefined) return noun;
  return unit === undefined || isInteger ? `${noun} of at least ${min}` : `${noun}, at least ${min}`;
}

/** Returns an object without its undefined fields, such as the values of options that are not set. */
export function omitUndefined<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
