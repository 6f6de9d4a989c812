import { formatUtcMilliseconds, parseTimeNs } from '@org/record/open';
import { createOptionError, type RawOptions } from '@org/terminal/program';

/**
 * Reads --start-at, in nanoseconds since 1970. Throws `UsageError` if the value is not a time with a time zone, or is before
 * `nowNs`.
 */
export function readStartAt(raw: RawOptions, nowNs: bigint): bigint | undefined {
  const { 'start-at': value } = raw;
  if (value === undefined) return undefined;
  const text = String(value);
  const startNs = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? parseTimeNs(text) : undefined;
  if (startNs === undefined)
    throw createOptionError('start-at', value, 'a time with a time zone, such as 2026-11-28T14:00:00Z');
  if (startNs > nowNs) return startNs;
  throw createOptionError(
    'start-at',
    value,
    `a time in the future; the clock of this machine shows ${formatUtcMilliseconds(nowNs)}`,
  );
}
