/** Relative tolerances; the README of the shared parity data explains them. */
const EXACT = 1e-12;
const ESTIMATE = 1e-9;
const SPREAD = 1e-9;

type Buckets = readonly (readonly [le: string, count: number])[] | null;

/** Collects differences, one line each: place, actual value, expected value. */
export class Differences {
  readonly lines: string[];
  readonly #place: string;

  constructor(place = '', lines: string[] = []) {
    this.#place = place;
    this.lines = lines;
  }

  /** Returns an object that adds to the same list, with a place before every line. */
  at(place: string): Differences {
    return new Differences(`${this.#place}${place}: `, this.lines);
  }

  add(line: string): void {
    this.lines.push(`${this.#place}${line}`);
  }

  /** Compares two values that must be equal. */
  same(what: string, ours: unknown, expected: unknown): void {
    if (ours !== expected) this.add(`${what} is ${formatValue(ours)}, expected ${formatValue(expected)}`);
  }

  /** Compares two sets of named figures: equal names, and numbers within their tolerance. */
  record(
    what: string,
    ours: object,
    expected: Readonly<Record<string, unknown>>,
    skip: (key: string) => boolean = () => false,
  ): void {
    const figures = ours as Readonly<Record<string, unknown>>;
    const largest = findLargest(expected);
    for (const key of new Set([...Object.keys(figures), ...Object.keys(expected)])) {
      if (!skip(key)) this.#figure(`${what}.${key}`, key, figures[key], expected[key], largest);
    }
  }

  /** Compares two lists of bounds and counts, or null. */
  buckets(what: string, ours: Buckets, expected: Buckets): void {
    this.same(what, JSON.stringify(ours), JSON.stringify(expected));
  }

  /** Compares two numbers with a relative tolerance. */
  near(what: string, ours: unknown, expected: number, tolerance: number = EXACT): void {
    if (!isNear(ours, expected, tolerance)) this.same(what, ours, expected);
  }

  #figure(what: string, key: string, ours: unknown, expected: unknown, largest: number): void {
    if (typeof expected !== 'number') this.same(what, ours, expected);
    else if (key === 'std' || key === 'rate_std') this.#spread(what, ours, expected, largest);
    else this.near(what, ours, expected, key.endsWith('_estimate') ? ESTIMATE : EXACT);
  }

  /**
   * The tolerance of a standard deviation is relative to the figures themselves, because NumPy returns
   * rounding errors for constants.
   */
  #spread(what: string, ours: unknown, expected: number, largest: number): void {
    const near =
      typeof ours === 'number' && Math.abs(ours - expected) <= SPREAD * Math.max(largest, Math.abs(ours));
    if (!near) this.same(what, ours, expected);
  }
}

function findLargest(record: Readonly<Record<string, unknown>>): number {
  const sizes = Object.values(record).map(value => (typeof value === 'number' ? Math.abs(value) : 0));
  return Math.max(0, ...sizes);
}

function isNear(ours: unknown, expected: number, tolerance: number): boolean {
  if (typeof ours !== 'number') return false;
  return (
    ours === expected || Math.abs(ours - expected) <= tolerance * Math.max(Math.abs(ours), Math.abs(expected))
  );
}

function formatValue(value: unknown): string {
  return value === undefined ? 'absent' : typeof value === 'string' ? value : String(JSON.stringify(value));
}
