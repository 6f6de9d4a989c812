import { UsageError } from '@org/terminal';

/** The options as yargs leaves them: one that was given twice is a list. */
export type RawOptions = Readonly<Record<string, unknown>>;

/** The value of an option that has one. Throws `UsageError` when it was given twice, also by another of its names. */
export function singleValue(raw: RawOptions, name: string): unknown {
  const value = raw[name];
  if (!Array.isArray(value)) return value;
  const given = value.map(one => JSON.stringify(one)).join(' and ');
  throw new UsageError(`--${name} is given ${value.length} times, as ${given}; expected one value`);
}

/** A text that says something. Throws `UsageError`. */
export function textValue(raw: RawOptions, name: string, expected: string): string | undefined {
  const value = singleValue(raw, name);
  if (value === undefined) return undefined;
  if (String(value).trim() === '')
    throw new UsageError(`--${name} is ${JSON.stringify(value)}; expected ${expected}`);
  return String(value);
}

/**
 * Seconds, at least `least`. Throws `UsageError` with what the user typed; the option must be declared without a type of
 * yargs, which would keep NaN of it.
 */
export function secondsValue(raw: RawOptions, name: string, least: number): number | undefined {
  const value = singleValue(raw, name);
  if (value === undefined) return undefined;
  const seconds = numberOf(value);
  if (Number.isFinite(seconds) && seconds >= least) return seconds;
  throw new UsageError(`--${name} is ${shownValue(value)}; expected a number of seconds, at least ${least}`);
}

/** NaN for what is no number. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/** As the user typed it. */
export function shownValue(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
