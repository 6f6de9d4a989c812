/** An OpenMetrics timestamp with nanosecond precision. Doubles of current times are 240 ns apart. */
export interface ExactTimestamp {
  /** Seconds since 1970. */
  readonly time: number;
  /** The whole seconds, and the remaining nanoseconds with the same sign. */
  readonly seconds: number;
  readonly nanos: number;
}

const PLAIN = /^([+-]?)(?=[.\d])(\d*)(?:\.(\d*))?$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+$/;

/**
 * Parses a timestamp in seconds, truncating it to nanoseconds like prometheus_client. Undefined if `text` is
 * not a finite decimal number (OpenMetrics 1.0, "Timestamps").
 */
export function parseTimestamp(text: string): ExactTimestamp | undefined {
  const match = PLAIN.exec(text);
  if (!match) return readExponential(text);
  if (match[2] === '' && !match[3]) return undefined;
  const sign = match[1] === '-' ? -1 : 1;
  const seconds = sign * Number(match[2] || '0');
  if (!Number.isFinite(seconds)) return undefined;
  const nanos = sign * Number((match[3] ?? '').slice(0, 9).padEnd(9, '0'));
  return { time: seconds + nanos / 1e9, seconds, nanos };
}

function readExponential(text: string): ExactTimestamp | undefined {
  const time = DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(time)) return undefined;
  const seconds = Math.trunc(time);
  return { time, seconds, nanos: Math.trunc((time - seconds) * 1e9) };
}

/** Returns a negative number if `a` is earlier, 0 if both are the same nanosecond. */
export function compareTimestamps(a: ExactTimestamp, b: ExactTimestamp): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}
