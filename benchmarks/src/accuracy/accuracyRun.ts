import type { HistogramWindow, PercentileEstimates } from '@org/core';

/** A simulated run of the shared accuracy data: the scrapes of one histogram, and the true percentiles. */
export interface AccuracyRun {
  readonly id: string;
  /** Observations per second. */
  readonly rate: number;
  /** Bucket bounds (label `le`). */
  readonly les: readonly string[];
  readonly timestamps_ns?: readonly number[];
  readonly sums: readonly number[];
  readonly counts: readonly number[];
  /** Cumulative counts by bound, one row per scrape. */
  readonly bucket_counts: readonly (readonly number[])[];
  /** Index of the reference scrape: the last scrape before the period. */
  readonly reference_index: number;
  /** Exact percentiles of the observations after the reference scrape. */
  readonly truth: PercentileEstimates;
}

/** Converts a run to the window from the reference scrape to the last scrape. */
export function toWindow(run: AccuracyRun): HistogramWindow {
  const reference = run.reference_index;
  const rows = run.bucket_counts.slice(reference);
  const start = run.timestamps_ns?.[reference] ?? 0;
  return {
    timesNs: Float64Array.from(rows, (_, row) => (run.timestamps_ns?.[reference + row] ?? row) - start),
    sums: Float64Array.from(run.sums.slice(reference)),
    counts: Float64Array.from(run.counts.slice(reference)),
    bounds: run.les.map(text => ({ le: parseBound(text), text })),
    cumulative: run.les.map((_, bucket) => Float64Array.from(rows, row => row[bucket]!)),
  };
}

function parseBound(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
}

/**
 * Computes the floor for `computeErrors`: a tenth of the smallest positive bound. Smaller differences are
 * insignificant.
 */
export function computeFloor(run: AccuracyRun): number {
  const positive = run.les.map(parseBound).filter(le => le > 0 && Number.isFinite(le));
  return 0.1 * Math.min(...positive);
}
