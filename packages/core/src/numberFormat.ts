/** Seconds per unit of time. */
const SECONDS_PER_UNIT: Readonly<Record<string, number>> = {
  seconds: 1,
  milliseconds: 1e-3,
  microseconds: 1e-6,
  nanoseconds: 1e-9,
  // Abbreviations in profile exports.
  sec: 1,
  ms: 1e-3,
  ns: 1e-9,
};
const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** Default number of significant digits. */
const MAX_DIGITS = 4;
/** Minimum number of significant digits if space is limited. */
const MIN_DIGITS = 2;

const PLAIN = createFormats({ useGrouping: false });
const COMPACT = createFormats({ notation: 'compact' });
const SCIENTIFIC = createFormats({ notation: 'scientific' });

/** Creates a function that formats a value with a given number of significant digits. */
function createFormats(options: Intl.NumberFormatOptions): (value: number, digits: number) => string {
  const byDigits = Array.from(
    { length: MAX_DIGITS },
    (_, i) => new Intl.NumberFormat('en', { ...options, maximumSignificantDigits: i + 1 }),
  );
  return (value, digits) => byDigits[digits - 1]!.format(value);
}

/**
 * Formats a value with four significant digits: durations in a suitable unit, bytes in powers of 1024, other
 * values of 10,000 or more with a suffix (23.85K). If the text is longer than `maxLength` characters, uses
 * three digits, then two digits, and finally scientific notation.
 *
 * @param unit a unit of the exports, such as `seconds`, `ms` or `bytes`; other units are not printed
 */
export function formatValue(
  value: number,
  unit: string | null | undefined,
  maxLength: number = Infinity,
): string {
  for (let digits = MAX_DIGITS; digits >= MIN_DIGITS; digits--) {
    const text = formatWithDigits(value, unit, digits, maxLength);
    if (text.length <= maxLength) return text;
  }
  return SCIENTIFIC(value, MIN_DIGITS);
}

/** Formats a value without a unit, with four significant digits. */
export function formatNumber(value: number): string {
  return formatValue(value, null);
}

function formatWithDigits(
  value: number,
  unit: string | null | undefined,
  digits: number,
  maxLength: number,
): string {
  const scale = unit ? SECONDS_PER_UNIT[unit] : undefined;
  if (scale !== undefined) {
    const text = formatDuration(value * scale);
    // `3 min 20 s` requires four digits; with fewer digits, a single unit is used.
    return digits === MAX_DIGITS && text.length <= maxLength ? text : formatInOneUnit(value * scale, digits);
  }
  if (unit === 'bytes') return formatScaledBytes(value, digits);
  return Math.abs(value) >= 10_000 ? COMPACT(value, digits) : PLAIN(value, digits);
}

/** Formats a duration in seconds as `12.3 s`, `45.6 ms`, `7 µs`, `3 min 20 s` or `2.5 h`. */
export function formatDuration(seconds: number): string {
  const size = Math.abs(roundToDigits(seconds, MAX_DIGITS));
  if (size < 120 || size >= 7200) return formatInOneUnit(seconds, MAX_DIGITS);
  // Round before splitting: 179.7 s is 3 min, not 2 min 60 s.
  const wholeSeconds = Math.round(size);
  const sign = seconds < 0 ? '-' : '';
  const minutes = `${sign}${Math.floor(wholeSeconds / 60)} min`;
  return wholeSeconds % 60 === 0 ? minutes : `${minutes} ${wholeSeconds % 60} s`;
}

/** Formats a duration without decimals that the scrape interval does not support: `1.3 s`, `17 s`. */
export function formatRoundedDuration(seconds: number): string {
  return formatDuration(Math.abs(seconds) < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds));
}

function formatInOneUnit(seconds: number, digits: number): string {
  // Choose the unit after rounding: 999.99 ms is 1 s.
  const size = Math.abs(roundToDigits(seconds, digits));
  if (size >= 7200) return `${PLAIN(seconds / 3600, digits)} h`;
  if (size >= 120) return `${PLAIN(seconds / 60, digits)} min`;
  if (size >= 1 || size === 0 || Number.isNaN(size)) return `${PLAIN(seconds, digits)} s`;
  if (size >= 1e-3) return `${PLAIN(seconds * 1e3, digits)} ms`;
  if (size >= 1e-6) return `${PLAIN(seconds * 1e6, digits)} µs`;
  return `${PLAIN(seconds * 1e9, digits)} ns`;
}

/** Formats a number of bytes in a binary unit, such as `1.5 GiB`. */
export function formatBytes(count: number): string {
  return formatScaledBytes(count, MAX_DIGITS);
}

function formatScaledBytes(count: number, digits: number): string {
  let value = count;
  let unitIndex = 0;
  while (Math.abs(roundToDigits(value, digits)) >= 1024 && unitIndex < BYTE_UNITS.length - 1) {
    value /= 1024;
    unitIndex++;
  }
  return `${PLAIN(value, digits)} ${BYTE_UNITS[unitIndex]}`;
}

function roundToDigits(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** Formats a ratio as a percentage with three significant digits, such as `94.1%`. */
export function formatPercent(ratio: number): string {
  return `${PLAIN(ratio * 100, 3)}%`;
}

/**
 * Formats a count with its noun: `1 metric`, `2 metrics`. The default plural adds an s, except to nouns that
 * end in s.
 */
export function formatCount(
  count: number,
  noun: string,
  plural: string = noun.endsWith('s') ? noun : `${noun}s`,
): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
