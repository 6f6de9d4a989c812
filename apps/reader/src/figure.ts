const TIMES: Readonly<Record<string, number>> = {
  seconds: 1,
  milliseconds: 1e-3,
  microseconds: 1e-6,
  nanoseconds: 1e-9,
  // As profile exports write them (seed 004).
  sec: 1,
  ms: 1e-3,
  ns: 1e-9,
};
const BYTES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** Digits that a figure has, and fewer of them where there is little room. */
const DIGITS = 4;
const LEAST_DIGITS = 2;

const PLAIN = formats({ useGrouping: false });
const COMPACT = formats({ notation: 'compact' });
const SCIENTIFIC = formats({ notation: 'scientific' });

/** One format for each number of significant digits. */
function formats(options: Intl.NumberFormatOptions): (value: number, digits: number) => string {
  const byDigits = Array.from(
    { length: DIGITS },
    (_, i) => new Intl.NumberFormat('en', { ...options, maximumSignificantDigits: i + 1 }),
  );
  return (value, digits) => byDigits[digits - 1]!.format(value);
}

/**
 * A figure as a person reads it: four digits, times in the unit that suits them, bytes in powers of 1024, large counts
 * with a letter. `unit` is one of the export's units or null.
 *
 * With `room`, what is longer than so many characters gets fewer digits, two at least; a figure that then is still
 * longer than that is written with an exponent.
 */
export function figure(value: number, unit: string | null | undefined, room: number = Infinity): string {
  for (let digits = DIGITS; digits >= LEAST_DIGITS; digits--) {
    const text = withDigits(value, unit, digits, room);
    if (text.length <= room) return text;
  }
  return SCIENTIFIC(value, LEAST_DIGITS);
}

function withDigits(value: number, unit: string | null | undefined, digits: number, room: number): string {
  const scale = unit ? TIMES[unit] : undefined;
  if (scale !== undefined) {
    const whole = time(value * scale);
    // Minutes and seconds are four digits in two words; with less room there are only minutes.
    return digits === DIGITS && whole.length <= room ? whole : inOneUnit(value * scale, digits);
  }
  if (unit === 'bytes') return scaledBytes(value, digits);
  return Math.abs(value) >= 10_000 ? COMPACT(value, digits) : PLAIN(value, digits);
}

/** Seconds as `12.3 s`, `45.6 ms`, `7 µs`, `3 min 20 s` or `2.5 h`. */
export function time(seconds: number): string {
  const size = Math.abs(rounded(seconds, DIGITS));
  if (size < 120 || size >= 7200) return inOneUnit(seconds, DIGITS);
  // Rounded before it is split: 179.7 s are 3 min, not 2 min 60 s.
  const whole = Math.round(size);
  const sign = seconds < 0 ? '-' : '';
  const minutes = `${sign}${Math.floor(whole / 60)} min`;
  return whole % 60 === 0 ? minutes : `${minutes} ${whole % 60} s`;
}

function inOneUnit(seconds: number, digits: number): string {
  // The unit suits the figure as it is shown: 999.99 ms are 1 s.
  const size = Math.abs(rounded(seconds, digits));
  if (size >= 7200) return `${PLAIN(seconds / 3600, digits)} h`;
  if (size >= 120) return `${PLAIN(seconds / 60, digits)} min`;
  if (size >= 1 || size === 0 || Number.isNaN(size)) return `${PLAIN(seconds, digits)} s`;
  if (size >= 1e-3) return `${PLAIN(seconds * 1e3, digits)} ms`;
  if (size >= 1e-6) return `${PLAIN(seconds * 1e6, digits)} µs`;
  return `${PLAIN(seconds * 1e9, digits)} ns`;
}

/** Bytes as `1.5 GiB`. */
export function bytes(count: number): string {
  return scaledBytes(count, DIGITS);
}

function scaledBytes(count: number, digits: number): string {
  let value = count;
  let step = 0;
  while (Math.abs(rounded(value, digits)) >= 1024 && step < BYTES.length - 1) {
    value /= 1024;
    step++;
  }
  return `${PLAIN(value, digits)} ${BYTES[step]}`;
}

function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** A share of one as `94.1 %`. */
export function percentage(share: number): string {
  return `${PLAIN(share * 100, 3)} %`;
}
