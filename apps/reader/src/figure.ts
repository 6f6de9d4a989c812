const PLAIN = new Intl.NumberFormat('en', { maximumSignificantDigits: 4, useGrouping: false });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 });
const TIMES: Readonly<Record<string, number>> = {
  seconds: 1,
  milliseconds: 1e-3,
  microseconds: 1e-6,
  nanoseconds: 1e-9,
};

/**
 * A figure as a person reads it: four digits, times in the unit that suits them, bytes in powers of 1024, large counts
 * with a letter. `unit` is one of the export's units or null.
 */
export function figure(value: number, unit: string | null | undefined): string {
  const scale = unit ? TIMES[unit] : undefined;
  if (scale !== undefined) return time(value * scale);
  if (unit === 'bytes') return bytes(value);
  return Math.abs(value) >= 10_000 ? COMPACT.format(value) : PLAIN.format(value);
}

/** Seconds as `12.3 s`, `45.6 ms`, `7 µs` or `3 min 20 s`. */
export function time(seconds: number): string {
  const size = Math.abs(seconds);
  if (size >= 120 && size < 7200) return `${Math.trunc(seconds / 60)} min ${Math.round(size % 60)} s`;
  if (size >= 7200) return `${PLAIN.format(seconds / 3600)} h`;
  if (size >= 1 || size === 0) return `${PLAIN.format(seconds)} s`;
  if (size >= 1e-3) return `${PLAIN.format(seconds * 1e3)} ms`;
  if (size >= 1e-6) return `${PLAIN.format(seconds * 1e6)} µs`;
  return `${PLAIN.format(seconds * 1e9)} ns`;
}

/** Bytes as `1.5 GiB`. */
export function bytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = count;
  let step = 0;
  while (Math.abs(value) >= 1024 && step < units.length - 1) {
    value /= 1024;
    step++;
  }
  return `${PLAIN.format(value)} ${units[step]}`;
}
