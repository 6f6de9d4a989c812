import { Random } from '../../packages/simulator/dist/index.js';

/** What a server says of one histogram: how many observations were <= each bound. */
export interface Histogram {
  /** Ascending; the last is +Infinity, unless its absence is the point. */
  readonly bounds: readonly number[];
  readonly cumulative: readonly number[];
  /** What the observations add up to, where it matters. */
  readonly sum?: number;
}

const { POSITIVE_INFINITY: INF } = Number;

/** The edges of the definition, by what is odd about them. */
export const EDGES: Readonly<Record<string, Histogram>> = {
  empty: { bounds: [1, 2, INF], cumulative: [0, 0, 0] },
  'all in +Inf': { bounds: [1, 2, INF], cumulative: [0, 0, 7] },
  'nearly all in +Inf': { bounds: [1, 2, INF], cumulative: [0, 1, 1000] },
  'all in the first bucket': { bounds: [0.5, 2, INF], cumulative: [9, 9, 9] },
  'one observation': { bounds: [0.1, 0.2, 0.3, INF], cumulative: [0, 0, 1, 1] },
  'first bound 0': { bounds: [0, 1, 2, INF], cumulative: [5, 8, 9, 10] },
  'first bound below 0': { bounds: [-2, -1, 1, INF], cumulative: [5, 8, 9, 10] },
  'all bounds below 0': { bounds: [-3, -2, -1, INF], cumulative: [1, 2, 3, 4] },
  'a dip': { bounds: [1, 2, 3, 4, INF], cumulative: [2, 10, 6, 12, 20] },
  'dips all the way': { bounds: [1, 2, 3, 4, INF], cumulative: [9, 7, 5, 3, 1] },
  'a dip at +Inf': { bounds: [1, 2, INF], cumulative: [4, 12, 8] },
  'only +Inf': { bounds: [INF], cumulative: [5] },
  'no +Inf': { bounds: [1, 2, 3], cumulative: [1, 2, 3] },
  'one finite bound': { bounds: [10, INF], cumulative: [3, 4] },
  'fractions of observations': { bounds: [1, 2, 4, INF], cumulative: [0.25, 1.5, 1.75, 2.125] },
  'very many': { bounds: [1, 2, 4, INF], cumulative: [1e15, 3e15, 3.5e15, 4e15] },
  'tiny and huge bounds': { bounds: [1e-300, 1e-9, 1, 1e300, INF], cumulative: [1, 2, 3, 4, 5] },
};

/** A histogram of up to 24 buckets, some of them empty, now and then with a bound at or below 0. */
export function randomHistogram(random: Random): Histogram {
  const finite = 1 + Math.floor(random.next() * 24);
  const bounds = [...ascending(random, finite), INF];
  return grown({ bounds, cumulative: bounds.map(() => 0), sum: 0 }, random);
}

/** The same histogram after more observations, which lie anywhere in their buckets. */
export function grown({ bounds, cumulative, sum = 0 }: Histogram, random: Random): Histogram {
  const where = random.next();
  let more = 0;
  let later = sum;
  const counts = cumulative.map((count, i) => {
    const observations = random.next() < 0.6 ? Math.floor(random.next() ** 4 * 10_000) : 0;
    more += observations;
    later += observations * placeIn(bounds, i, where);
    return count + more;
  });
  return { bounds, cumulative: counts, sum: later };
}

/** A value in a bucket, `part` of the way from its lower bound to its upper one; in the first, positive if it can be. */
function placeIn(bounds: readonly number[], bucket: number, part: number): number {
  const upper = bounds[bucket]!;
  const lower = bucket > 0 ? bounds[bucket - 1]! : upper >= 0 ? 0 : upper - 1;
  return upper === INF ? lower + (Math.abs(lower) + 1) * part : lower + (upper - lower) * part;
}

/** Bounds like a server's: 1, 2.5, 5, 10, ...; evenly spaced; or any. */
function ascending(random: Random, count: number): number[] {
  const kind = random.next();
  const from = Math.floor(random.next() * 12) - 6;
  if (kind < 0.4)
    return Array.from({ length: count }, (_, i) =>
      Number(`${[1, 2.5, 5][i % 3]}e${from + Math.floor(i / 3)}`),
    );
  if (kind < 0.7) return Array.from({ length: count }, (_, i) => from + i * 0.5);
  const drawn = new Set(
    Array.from({ length: count }, () => (random.next() - 0.1) * 10 ** (random.next() * 6)),
  );
  return [...drawn].sort((a, b) => a - b);
}

/** So many random histograms from a seed, by name. */
export function randomHistograms(seed: number, count: number): Record<string, Histogram> {
  const random = new Random(seed);
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`random ${i}`, randomHistogram(random)] as const),
  );
}

/** A family of histograms as an exposition, told apart by the label `case`. */
export function exposition(family: string, histograms: Readonly<Record<string, Histogram>>): string {
  const lines = [`# HELP ${family} Histograms with known counts.`, `# TYPE ${family} histogram`];
  for (const [name, { bounds, cumulative, sum = 0 }] of Object.entries(histograms)) {
    for (const [i, bound] of bounds.entries())
      lines.push(`${family}_bucket{case="${name}",le="${bound === INF ? '+Inf' : bound}"} ${cumulative[i]}`);
    const count = cumulative.at(-1)!;
    lines.push(`${family}_sum{case="${name}"} ${sum}`, `${family}_count{case="${name}"} ${count}`);
  }
  return `${lines.join('\n')}\n`;
}
