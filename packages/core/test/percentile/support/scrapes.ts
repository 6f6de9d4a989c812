import type { HistogramWindow } from '../../../src/percentile/estimator.ts';
import { createWindow } from './windows.ts';

/** Creates the window of a scraped histogram from the observations before the first scrape and in each interval. */
export function createScrapedWindow(
  les: readonly string[],
  intervals: readonly (readonly number[])[],
  before: readonly number[] = [],
): HistogramWindow {
  const bounds = les.map(le => (le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)));
  const counts = [0];
  const sums = [0];
  const rows = [bounds.map(() => 0)];
  for (const observations of [before, ...intervals]) {
    counts.push(counts.at(-1)! + observations.length);
    sums.push(observations.reduce((sum, value) => sum + value, sums.at(-1)!));
    const last = rows.at(-1)!;
    rows.push(
      bounds.map((bound, bucket) => last[bucket]! + observations.filter(value => value <= bound).length),
    );
  }
  return createWindow({ les, counts, sums, bucket_counts: rows }, 1);
}

/** Computes a percentile with linear interpolation, as NumPy does by default. */
export function computeTruePercentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const h = (percent / 100) * (sorted.length - 1);
  const below = Math.floor(h);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (h - below) * (sorted[above]! - sorted[below]!);
}
