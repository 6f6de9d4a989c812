const TIMES: Readonly<Record<string, number>> = {
  seconds: 1,
  milliseconds: 1e-3,
  microseconds: 1e-6,
  nanoseconds: 1e-9,
  // Units of profile exports.
  sec: 1,
  ms: 1e-3,
  ns: 1e-9,
};
const BYTES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** Significant digits of a number, and of a number that has to fit into little space. */
const DIGITS = 4;
const MIN_DIGITS = 2;

const PLAIN = createFormats({ useGrouping: false });
const COMPACT = createFormats({ notation: 'compact' });
const SCIENTIFIC = createFormats({ notation: 'scientific' });

/** Creates one format for each number of significant digits. */
function createFormats(options: Intl.NumberFormatOptions): (value: number, digits: number) => string {
  const byDigits = Array.from(
    { length: DIGITS },
    (_, i) => new Intl.NumberFormat('en', { ...options, maximumSignificantDigits: i + 1 }),
  );
  return (value, digits) => byDigits[digits - 1]!.format(value);
}

/**
 * Formats a value with four significant digits: durations in a suitable unit, bytes in powers of 1024, counts of 10,000
 * and more with a letter (23.85K). A text longer than `maxLength` characters is shortened to three, then two digits,
 * and at last to an exponent.
 *
 * @param unit a unit of the exports, such as `seconds`, `ms` or `bytes`; other units are not printed
 */
export function formatValue(
  value: number,
  unit: string | null | undefined,
  maxLength: number = Infinity,
): string {
  for (let digits = DIGITS; digits >= MIN_DIGITS; digits--) {
    const text = withDigits(value, unit, digits, maxLength);
    if (text.length <= maxLength) return text;
  }
  return SCIENTIFIC(value, MIN_DIGITS);
}

function withDigits(
  value: number,
  unit: string | null | undefined,
  digits: number,
  maxLength: number,
): string {
  const scale = unit ? TIMES[unit] : undefined;
  if (scale !== undefined) {
    const whole = formatDuration(value * scale);
    // `3 min 20 s` takes four digits; with fewer, only minutes are printed.
    return digits === DIGITS && whole.length <= maxLength ? whole : formatInOneUnit(value * scale, digits);
  }
  if (unit === 'bytes') return formatScaledBytes(value, digits);
  return Math.abs(value) >= 10_000 ? COMPACT(value, digits) : PLAIN(value, digits);
}

/** Formats a duration in seconds as `12.3 s`, `45.6 ms`, `7 µs`, `3 min 20 s` or `2.5 h`. */
export function formatDuration(seconds: number): string {
  const size = Math.abs(round(seconds, DIGITS));
  if (size < 120 || size >= 7200) return formatInOneUnit(seconds, DIGITS);
  // Round before splitting: 179.7 s is 3 min, not 2 min 60 s.
  const whole = Math.round(size);
  const sign = seconds < 0 ? '-' : '';
  const minutes = `${sign}${Math.floor(whole / 60)} min`;
  return whole % 60 === 0 ? minutes : `${minutes} ${whole % 60} s`;
}

function formatInOneUnit(seconds: number, digits: number): string {
  // Choose the unit after rounding: 999.99 ms is 1 s.
  const size = Math.abs(round(seconds, digits));
  if (size >= 7200) return `${PLAIN(seconds / 3600, digits)} h`;
  if (size >= 120) return `${PLAIN(seconds / 60, digits)} min`;
  if (size >= 1 || size === 0 || Number.isNaN(size)) return `${PLAIN(seconds, digits)} s`;
  if (size >= 1e-3) return `${PLAIN(seconds * 1e3, digits)} ms`;
  if (size >= 1e-6) return `${PLAIN(seconds * 1e6, digits)} µs`;
  return `${PLAIN(seconds * 1e9, digits)} ns`;
}

/** Formats a number of bytes as `1.5 GiB`. */
export function formatBytes(count: number): string {
  return formatScaledBytes(count, DIGITS);
}

function formatScaledBytes(count: number, digits: number): string {
  let value = count;
  let step = 0;
  while (Math.abs(round(value, digits)) >= 1024 && step < BYTES.length - 1) {
    value /= 1024;
    step++;
  }
  return `${PLAIN(value, digits)} ${BYTES[step]}`;
}

function round(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** Formats a ratio with three significant digits as `94.1%`. */
export function formatPercent(ratio: number): string {
  return `${PLAIN(ratio * 100, 3)}%`;
}

/** Formats a count with its noun: `1 metric`, `2 metrics`. Nouns that end in s stay as they are; pass other plurals. */
export function formatCount(
  count: number,
  noun: string,
  plural: string = noun.endsWith('s') ? noun : `${noun}s`,
): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
