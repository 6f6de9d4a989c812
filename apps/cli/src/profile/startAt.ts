import { parseTimeNs } from '@org/record/open';
import { createOptionError, type RawOptions } from '@org/terminal/program';

/**
 * Reads --start-at, in milliseconds since 1970. Throws `UsageError` if the value is not a time with a time zone, or is before
 * `nowMs`.
 */
export function readStartAt(raw: RawOptions, nowMs: number): number | undefined {
  const { 'start-at': value } = raw;
  if (value === undefined) return undefined;
  const text = String(value);
  const startNs = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? parseTimeNs(text) : undefined;
  if (startNs === undefined)
    throw createOptionError('start-at', value, 'a time with a time zone, such as 2026-11-28T14:00:00Z');
  const startMs = Number(startNs / 1_000_000n);
  if (startMs > nowMs) return startMs;
  throw createOptionError(
    'start-at',
    value,
    `a time in the future; the clock of this machine shows ${new Date(nowMs).toISOString()}`,
  );
}
