/**
 * An OpenMetrics timestamp with nanosecond precision. A double of the seconds since 1970 has a resolution of
 * only 240 ns.
 */
export interface ExactTimestamp {
  /** Seconds since 1970, rounded to a double. */
  readonly time: number;
  /** Whole seconds since 1970. */
  readonly seconds: number;
  /** The remaining nanoseconds, with the sign of the timestamp. */
  readonly nanos: number;
}

const FIXED_POINT = /^([+-]?)(?=[.\d])(\d*)(?:\.(\d*))?$/;
const EXPONENTIAL = /^[+-]?(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+$/;

/**
 * Parses a timestamp in seconds. As in prometheus_client, digits beyond nanoseconds are truncated. Returns
 * undefined if `text` is not a finite decimal number (OpenMetrics 1.0, "Timestamps").
 */
export function parseTimestamp(text: string): ExactTimestamp | undefined {
  const match = FIXED_POINT.exec(text);
  if (!match) return parseExponential(text);
  if (match[2] === '' && !match[3]) return undefined;
  const sign = match[1] === '-' ? -1 : 1;
  const seconds = sign * Number(match[2] || '0');
  if (!Number.isFinite(seconds)) return undefined;
  const nanos = sign * Number((match[3] ?? '').slice(0, 9).padEnd(9, '0'));
  return { time: seconds + nanos / 1e9, seconds, nanos };
}

function parseExponential(text: string): ExactTimestamp | undefined {
  const time = EXPONENTIAL.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(time)) return undefined;
  const seconds = Math.trunc(time);
  return { time, seconds, nanos: Math.trunc((time - seconds) * 1e9) };
}

/**
 * Returns a negative number if `a` is earlier than `b`, a positive one if it is later, or 0 if they are
 * equal.
 */
export function compareTimestamps(a: ExactTimestamp, b: ExactTimestamp): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}
