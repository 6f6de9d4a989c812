import type { PercentileEstimates } from './estimator.ts';
import { forEachPercent } from './percents.ts';

/**
 * The percentiles p1 to p99 of at least one value, exactly as NumPy's default ("linear", Hyndman and Fan's type 7):
 * linear between the two order statistics at h = q (n - 1). Seed 001, "Gauge Normalization".
 *
 * @param sorted ascending
 */
export function sortedPercentiles(sorted: Float64Array): PercentileEstimates {
  return forEachPercent(percent => sortedPercentile(sorted, percent));
}

/** One percentile (0 to 100) of at least one value in ascending order. */
export function sortedPercentile(sorted: Float64Array, percent: number): number {
  const h = (percent / 100) * (sorted.length - 1);
  const below = Math.floor(h);
  const lower = sorted[below]!;
  const upper = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return between(lower, upper, h - below);
}

/** From the nearer end, as NumPy does it: so that it is monotone, and exact at both ends. */
function between(lower: number, upper: number, part: number): number {
  if (part === 0 || lower === upper) return lower;
  const distance = upper - lower;
  if (!Number.isFinite(distance)) return lower * (1 - part) + upper * part;
  return part < 0.5 ? lower + distance * part : upper - distance * (1 - part);
}
