import type { Density } from './cellDensity.ts';
import type { KnownValues } from './exactValues.ts';
import type { Sample } from './sample.ts';

/**
 * Maximum number of intervals for fitting. More intervals hardly improve the fit; using all intervals of an
 * hour would take ten times as long.
 */
const MAX_ROWS = 512;
/** Number of adjacent intervals in a block. */
const BLOCK_ROWS = 16;

/** A subset of the intervals of a sample. Totals cover the whole sample. */
export interface ThinnedSample {
  readonly sample: Sample;
  /** Row in the whole sample, by row of the subset. */
  readonly rows: Int32Array;
}

/** Limits the number of intervals for fitting a long run: selects evenly spaced blocks of adjacent intervals. */
export function thinIntervals(sample: Sample): ThinnedSample {
  const blockStep = Math.ceil(sample.rows / MAX_ROWS);
  if (blockStep <= 1) return { sample, rows: Int32Array.from({ length: sample.rows }, (_, row) => row) };
  const rows: number[] = [];
  for (let row = 0; row < sample.rows; row += 1) {
    if (Math.floor(row / BLOCK_ROWS) % blockStep === 0) rows.push(row);
  }
  return { sample: selectRows(sample, rows), rows: Int32Array.from(rows) };
}

function selectRows(sample: Sample, rows: readonly number[]): Sample {
  const start = new Int32Array(rows.length + 1);
  rows.forEach((row, at) => {
    start[at + 1] = start[at]! + sample.start[row + 1]! - sample.start[row]!;
  });
  const active = new Int32Array(start[rows.length]!);
  const count = new Float64Array(active.length);
  rows.forEach((row, at) => {
    active.set(sample.active.subarray(sample.start[row]!, sample.start[row + 1]!), start[at]!);
    count.set(sample.count.subarray(sample.start[row]!, sample.start[row + 1]!), start[at]!);
  });
  return {
    ...sample,
    rows: rows.length,
    start,
    active,
    count,
    size: Float64Array.from(rows, row => sample.size[row]!),
    sum: Float64Array.from(rows, row => sample.sum[row]!),
  };
}

/**
 * Scales the observations placed for a subset of the intervals to the whole sample: in each bucket, to the
 * number of observations that are not known exactly. A bucket without placed observations follows its
 * density.
 */
export function scaleToAll(
  placed: readonly Float64Array[],
  sample: Sample,
  known: readonly KnownValues[],
  densities: readonly Density[],
): void {
  for (const [bucket, cells] of placed.entries()) {
    const placedCount = cells.reduce((sum, mass) => sum + mass, 0);
    const exactCount = known[bucket]!.times.reduce((sum, times) => sum + times, 0);
    const targetCount = Math.max(0, sample.total[bucket]! - exactCount);
    const from = placedCount > 0 ? cells : densities[bucket]!.mass;
    const scale = placedCount > 0 ? targetCount / placedCount : targetCount;
    for (let cell = 0; cell < cells.length; cell += 1) cells[cell] = from[cell]! * scale;
  }
}
