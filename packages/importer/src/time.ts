import { RunInputError } from '@org/record';

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/;
const DURATION_PART = /(\d+(?:\.\d+)?)(ms|[smhdw])/g;
const RFC3339 = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;
const UNIX_SECONDS = /^\d{9,11}(?:\.\d+)?$/;

/** Parses a duration such as `90m` or `1h30m`. Returns milliseconds; undefined if it is not a duration. */
export function parseDurationMs(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(DURATION_PART)) sum += Number(amount) * UNITS_MS[unit!]!;
  return Math.round(sum);
}

/**
 * Parses a time: `now`, a duration before now such as `2h`, an RFC 3339 time, or Unix seconds. Returns Unix milliseconds.
 * Throws `RunInputError` for other values; `option` names the option in the message.
 */
export function parseTimeMs(text: string, option: string, nowMs: number): number {
  const trimmed = text.trim();
  if (trimmed === 'now') return nowMs;
  const duration = parseDurationMs(trimmed);
  if (duration !== undefined) return nowMs - duration;
  if (UNIX_SECONDS.test(trimmed)) return Math.round(Number(trimmed) * 1000);
  const time = RFC3339.test(trimmed) ? Date.parse(trimmed.replace(' ', 'T')) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new RunInputError(
    `invalid ${option} ${JSON.stringify(text)}: expected a duration before now such as 2h, an RFC 3339 time such as 2026-11-21T08:15:30Z, Unix seconds, or now`,
  );
}

/** Formats Unix milliseconds as an RFC 3339 time in UTC, without a fraction of zero. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
