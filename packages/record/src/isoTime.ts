/**
 * Parses an ISO 8601 timestamp with up to nine decimals into Unix nanoseconds. A timestamp without a time zone is UTC.
 * Returns undefined for any other text.
 */
export function parseTimeNs(text: string): bigint | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/i.exec(text);
  if (!match) return undefined;
  const [, date, time, fraction = '', zone = 'Z'] = match;
  const ms = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(ms) ? undefined : BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** Reports whether an ISO 8601 timestamp has a time zone. Without one, it may be the local time of any machine. */
export function hasTimeZone(text: string): boolean {
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
}

/** Formats Unix nanoseconds as `2026-11-21T08:15:30.123456Z`, with microseconds like AIPerf. */
export function formatUtc(ns: bigint): string {
  const micros = ((ns / 1000n) % 1_000_000n).toString().padStart(6, '0');
  return new Date(Number(ns / 1_000_000n)).toISOString().replace(/\.\d+Z$/, `.${micros}Z`);
}

/** Formats Unix nanoseconds as `2026-11-21T08:15:30.123Z`. */
export function formatUtcMilliseconds(ns: bigint): string {
  return new Date(Number(ns / 1_000_000n)).toISOString();
}
