import type { HistogramWindow, PercentileEstimates } from '@org/core';

/** A simulated run of the shared accuracy sets: the scrapes of one histogram, and what was really observed. */
export interface Run {
  readonly id: string;
  /** Observations per second. */
  readonly rate: number;
  readonly les: readonly string[];
  readonly timestamps_ns?: readonly number[];
  readonly sums: readonly number[];
  readonly counts: readonly number[];
  /** Cumulative per bound, one row a scrape. */
  readonly bucket_counts: readonly (readonly number[])[];
  /** The last scrape before the period. */
  readonly reference_index: number;
  /** Exact percentiles of the observations after the reference. */
  readonly truth: PercentileEstimates;
}

/** The window from the reference to the last scrape. */
export function windowOf(run: Run): HistogramWindow {
  const from = run.reference_index;
  const rows = run.bucket_counts.slice(from);
  const start = run.timestamps_ns?.[from] ?? 0;
  return {
    timesNs: Float64Array.from(rows, (_, row) => (run.timestamps_ns?.[from + row] ?? row) - start),
    sums: Float64Array.from(run.sums.slice(from)),
    counts: Float64Array.from(run.counts.slice(from)),
    bounds: run.les.map(text => ({ le: boundOf(text), text })),
    cumulative: run.les.map((_, bucket) => Float64Array.from(rows, row => row[bucket]!)),
  };
}

function boundOf(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
}

/** Below this a value cannot be told from 0: a tenth of the smallest positive bound. */
export function floorOf(run: Run): number {
  const positive = run.les.map(boundOf).filter(le => le > 0 && Number.isFinite(le));
  return 0.1 * Math.min(...positive);
}
