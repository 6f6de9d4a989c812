/** Relative tolerances: see the shared parity data's README, "Rules". */
const EXACT = 1e-12;
const ESTIMATE = 1e-9;
const SPREAD = 1e-9;

type Buckets = readonly (readonly [le: string, count: number])[] | null;

/** Collects what differs, a line each: where, what we have, what was expected. */
export class Differences {
  readonly lines: string[];
  readonly #place: string;

  constructor(place = '', lines: string[] = []) {
    this.#place = place;
    this.lines = lines;
  }

  /** The same list, with a place before every line. */
  at(place: string): Differences {
    return new Differences(`${this.#place}${place}: `, this.lines);
  }

  add(line: string): void {
    this.lines.push(`${this.#place}${line}`);
  }

  /** Two values that must be equal. */
  same(what: string, ours: unknown, expected: unknown): void {
    if (ours !== expected) this.add(`${what} is ${text(ours)}, expected ${text(expected)}`);
  }

  /** Two sets of named figures: the same names, and numbers within tolerance. */
  record(
    what: string,
    ours: object,
    expected: Readonly<Record<string, unknown>>,
    skip: (key: string) => boolean = () => false,
  ): void {
    const figures = ours as Readonly<Record<string, unknown>>;
    const largest = largestOf(expected);
    for (const key of new Set([...Object.keys(figures), ...Object.keys(expected)])) {
      if (!skip(key)) this.#figure(`${what}.${key}`, key, figures[key], expected[key], largest);
    }
  }

  /** Two lists of bounds and counts; null is none. */
  buckets(what: string, ours: Buckets, expected: Buckets): void {
    this.same(what, JSON.stringify(ours), JSON.stringify(expected));
  }

  /** A number within a relative tolerance. */
  near(what: string, ours: unknown, expected: number, tolerance: number = EXACT): void {
    if (!isNear(ours, expected, tolerance)) this.same(what, ours, expected);
  }

  #figure(what: string, key: string, ours: unknown, expected: unknown, largest: number): void {
    if (typeof expected !== 'number') this.same(what, ours, expected);
    else if (key === 'std' || key === 'rate_std') this.#spread(what, ours, expected, largest);
    else this.near(what, ours, expected, key.endsWith('_estimate') ? ESTIMATE : EXACT);
  }

  /** NumPy gives a constant a spread of rounding dust: what counts is how large it is beside the figures themselves. */
  #spread(what: string, ours: unknown, expected: number, largest: number): void {
    const near =
      typeof ours === 'number' && Math.abs(ours - expected) <= SPREAD * Math.max(largest, Math.abs(ours));
    if (!near) this.same(what, ours, expected);
  }
}

function largestOf(record: Readonly<Record<string, unknown>>): number {
  const sizes = Object.values(record).map(value => (typeof value === 'number' ? Math.abs(value) : 0));
  return Math.max(0, ...sizes);
}

function isNear(ours: unknown, expected: number, tolerance: number): boolean {
  if (typeof ours !== 'number') return false;
  return (
    ours === expected || Math.abs(ours - expected) <= tolerance * Math.max(Math.abs(ours), Math.abs(expected))
  );
}

function text(value: unknown): string {
  return value === undefined ? 'absent' : typeof value === 'string' ? value : String(JSON.stringify(value));
}
