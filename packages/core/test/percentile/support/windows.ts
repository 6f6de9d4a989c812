import type { HistogramWindow } from '../../../src/percentile/estimator.ts';

/** Sum, count and cumulative bucket counts of each scrape, for the bounds `les`. */
export interface Scrapes {
  readonly les: readonly string[];
  readonly sums: readonly number[];
  readonly counts: readonly number[];
  readonly bucket_counts: readonly (readonly number[])[];
}

/** Creates the window of the scrapes from index `from`, 333 ms apart. */
export function createWindow(scrapes: Scrapes, from = 0): HistogramWindow {
  const rows = scrapes.bucket_counts.slice(from);
  return {
    timesNs: Float64Array.from(rows, (_, row) => row * 333e6),
    sums: Float64Array.from(scrapes.sums.slice(from)),
    counts: Float64Array.from(scrapes.counts.slice(from)),
    bounds: scrapes.les.map(text => ({
      le: text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text),
      text,
    })),
    cumulative: scrapes.les.map((_, bucket) => Float64Array.from(rows, row => row[bucket]!)),
  };
}
