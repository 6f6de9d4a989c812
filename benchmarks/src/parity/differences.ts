/** Relative tolerances, explained in the README of the shared parity data. */
const EXACT_TOLERANCE = 1e-12;
const ESTIMATE_TOLERANCE = 1e-9;
const SPREAD_TOLERANCE = 1e-9;

type Buckets = readonly (readonly [le: string, count: number])[] | null;

/** Collects differences as lines with the location, the actual value and the expected value. */
export class Differences {
  readonly lines: string[];
  readonly #place: string;

  constructor(place = '', lines: string[] = []) {
    this.#place = place;
    this.lines = lines;
  }

  /** Returns an object that adds to the same list and prefixes every line with `place`. */
  at(place: string): Differences {
    return new Differences(`${this.#place}${place}: `, this.lines);
  }

  add(line: string): void {
    this.lines.push(`${this.#place}${line}`);
  }

  /** Compares two values that must be equal. */
  compareEqual(field: string, actual: unknown, expected: unknown): void {
    if (actual !== expected)
      this.add(`${field} is ${formatValue(actual)}, expected ${formatValue(expected)}`);
  }

  /** Compares two sets of named figures: the names must be equal, and the numbers must be within their tolerance. */
  compareRecord(
    field: string,
    actual: object,
    expected: Readonly<Record<string, unknown>>,
    isSkipped: (key: string) => boolean = () => false,
  ): void {
    const figures = actual as Readonly<Record<string, unknown>>;
    const largestMagnitude = findLargestMagnitude(expected);
    for (const key of new Set([...Object.keys(figures), ...Object.keys(expected)])) {
      if (!isSkipped(key))
        this.#compareFigure(`${field}.${key}`, key, figures[key], expected[key], largestMagnitude);
    }
  }

  /** Compares two lists of bucket bounds and counts, or null, which must be equal. */
  compareBuckets(field: string, actual: Buckets, expected: Buckets): void {
    this.compareEqual(field, JSON.stringify(actual), JSON.stringify(expected));
  }

  /** Compares two numbers with a relative tolerance. */
  compareNear(field: string, actual: unknown, expected: number, tolerance: number = EXACT_TOLERANCE): void {
    if (!isNear(actual, expected, tolerance)) this.compareEqual(field, actual, expected);
  }

  #compareFigure(
    field: string,
    key: string,
    actual: unknown,
    expected: unknown,
    largestMagnitude: number,
  ): void {
    if (typeof expected !== 'number') this.compareEqual(field, actual, expected);
    else if (key === 'std' || key === 'rate_std')
      this.#compareSpread(field, actual, expected, largestMagnitude);
    else
      this.compareNear(
        field,
        actual,
        expected,
        key.endsWith('_estimate') ? ESTIMATE_TOLERANCE : EXACT_TOLERANCE,
      );
  }

  /**
   * Compares standard deviations. The tolerance is relative to the largest figure of the record, because NumPy returns
   * rounding errors for constants instead of 0.
   */
  #compareSpread(field: string, actual: unknown, expected: number, largestMagnitude: number): void {
    const isWithinTolerance =
      typeof actual === 'number' &&
      Math.abs(actual - expected) <= SPREAD_TOLERANCE * Math.max(largestMagnitude, Math.abs(actual));
    if (!isWithinTolerance) this.compareEqual(field, actual, expected);
  }
}

function findLargestMagnitude(record: Readonly<Record<string, unknown>>): number {
  const sizes = Object.values(record).map(value => (typeof value === 'number' ? Math.abs(value) : 0));
  return Math.max(0, ...sizes);
}

function isNear(actual: unknown, expected: number, tolerance: number): boolean {
  if (typeof actual !== 'number') return false;
  return (
    actual === expected ||
    Math.abs(actual - expected) <= tolerance * Math.max(Math.abs(actual), Math.abs(expected))
  );
}

function formatValue(value: unknown): string {
  return value === undefined ? 'absent' : typeof value === 'string' ? value : String(JSON.stringify(value));
}
