import type { PercentileEstimates } from './estimator.ts';
import { mapPercents } from './percents.ts';

/**
 * Computes p1 to p99 of one or more values exactly like NumPy's default method ("linear", Hyndman and Fan's
 * type 7): linear interpolation between the two order statistics at h = q (n - 1).
 *
 * @param sorted values in ascending order
 */
export function computeSortedPercentiles(sorted: Float64Array): PercentileEstimates {
  return mapPercents(percent => computeSortedPercentile(sorted, percent));
}

/** Computes one percentile (0 to 100) of one or more values in ascending order. */
export function computeSortedPercentile(sorted: Float64Array, percent: number): number {
  const h = (percent / 100) * (sorted.length - 1);
  const below = Math.floor(h);
  const lower = sorted[below]!;
  const upper = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return interpolate(lower, upper, h - below);
}

/** Interpolates from the nearer end, as NumPy does: the result is monotone, and exact at both ends. */
function interpolate(lower: number, upper: number, fraction: number): number {
  if (fraction === 0 || lower === upper) return lower;
  const distance = upper - lower;
  if (!Number.isFinite(distance)) return lower * (1 - fraction) + upper * fraction;
  return fraction < 0.5 ? lower + distance * fraction : upper - distance * (1 - fraction);
}
