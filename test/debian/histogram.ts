import { Random } from '../../packages/core/dist/index.js';

/** State of a histogram on a server. */
export interface Histogram {
  /**
   * Upper bounds of the buckets, in ascending order. The last bound is +Infinity, except in the case `no +Inf`.
   */
  readonly bounds: readonly number[];
  /** Number of observations at or below each bound. */
  readonly cumulative: readonly number[];
  /** Sum of the observations, by default 0. */
  readonly sum?: number;
}

const { POSITIVE_INFINITY: INF } = Number;

/** Histograms that are edge cases, by name. */
export const EDGE_CASES: Readonly<Record<string, Histogram>> = {
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

/** Generates a histogram of up to 24 buckets, some of them empty, occasionally with bounds at or below 0. */
export function generateHistogram(random: Random): Histogram {
  const finiteCount = 1 + Math.floor(random.next() * 24);
  const bounds = [...generateBounds(random, finiteCount), INF];
  return growHistogram({ bounds, cumulative: bounds.map(() => 0), sum: 0 }, random);
}

/** Returns the histogram with further observations in random buckets. */
export function growHistogram({ bounds, cumulative, sum = 0 }: Histogram, random: Random): Histogram {
  const fraction = random.next();
  let added = 0;
  let newSum = sum;
  const counts = cumulative.map((count, i) => {
    const observations = random.next() < 0.6 ? Math.floor(random.next() ** 4 * 10_000) : 0;
    added += observations;
    newSum += observations * interpolateInBucket(bounds, i, fraction);
    return count + added;
  });
  return { bounds, cumulative: counts, sum: newSum };
}

/**
 * Returns a value in a bucket, at `fraction` of the way from its lower to its upper bound. In the first bucket,
 * it is positive if possible.
 */
function interpolateInBucket(bounds: readonly number[], bucket: number, fraction: number): number {
  const upper = bounds[bucket]!;
  const lower = bucket > 0 ? bounds[bucket - 1]! : upper >= 0 ? 0 : upper - 1;
  return upper === INF ? lower + (Math.abs(lower) + 1) * fraction : lower + (upper - lower) * fraction;
}

/** Generates bounds like those of servers (1, 2.5, 5, 10, ...), evenly spaced, or arbitrary. */
function generateBounds(random: Random, count: number): number[] {
  const style = random.next();
  const from = Math.floor(random.next() * 12) - 6;
  if (style < 0.4)
    return Array.from({ length: count }, (_, i) =>
      Number(`${[1, 2.5, 5][i % 3]}e${from + Math.floor(i / 3)}`),
    );
  if (style < 0.7) return Array.from({ length: count }, (_, i) => from + i * 0.5);
  const drawn = new Set(
    Array.from({ length: count }, () => (random.next() - 0.1) * 10 ** (random.next() * 6)),
  );
  return [...drawn].sort((a, b) => a - b);
}

/** Generates `count` histograms from a seed, by name. */
export function generateHistograms(seed: number, count: number): Record<string, Histogram> {
  const random = new Random(seed);
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`random ${i}`, generateHistogram(random)] as const),
  );
}

/** Formats histograms as one family in the exposition format, distinguished by the label `case`. */
export function formatExposition(family: string, histograms: Readonly<Record<string, Histogram>>): string {
  const lines = [`# HELP ${family} Histograms with known counts.`, `# TYPE ${family} histogram`];
  for (const [name, { bounds, cumulative, sum = 0 }] of Object.entries(histograms)) {
    for (const [i, bound] of bounds.entries())
      lines.push(`${family}_bucket{case="${name}",le="${bound === INF ? '+Inf' : bound}"} ${cumulative[i]}`);
    const count = cumulative.at(-1)!;
    lines.push(`${family}_sum{case="${name}"} ${sum}`, `${family}_count{case="${name}"} ${count}`);
  }
  return `${lines.join('\n')}\n`;
}
