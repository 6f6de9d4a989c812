import type { Density } from './cellDensity.ts';
import type { Known } from './exactValues.ts';
import type { Sample } from './sample.ts';

/** More intervals than this hardly sharpen a model of two numbers a bucket; all of an hour's would take ten times as long. */
const ENOUGH_ROWS = 512;
/** Neighbours are kept together, so that what they have in common can still be seen. */
const BLOCK_ROWS = 16;

/** Some of a sample's intervals, and which they are. Totals are those of the whole sample. */
export interface Thinned {
  readonly sample: Sample;
  /** By row of the thinned sample: the row of the whole one. */
  readonly rows: Int32Array;
}

/** A sample of an hour with as many intervals as a model needs: blocks of neighbours, evenly spread. */
export function thinned(sample: Sample): Thinned {
  const every = Math.ceil(sample.rows / ENOUGH_ROWS);
  if (every <= 1) return { sample, rows: Int32Array.from({ length: sample.rows }, (_, row) => row) };
  const rows: number[] = [];
  for (let row = 0; row < sample.rows; row += 1) {
    if (Math.floor(row / BLOCK_ROWS) % every === 0) rows.push(row);
  }
  return { sample: withRows(sample, rows), rows: Int32Array.from(rows) };
}

function withRows(sample: Sample, rows: readonly number[]): Sample {
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
 * Makes what was placed of some intervals stand for all: by bucket, as many observations as are not known exactly. A bucket
 * of which nothing was placed follows its density.
 */
export function scaledToAll(
  placed: readonly Float64Array[],
  sample: Sample,
  known: readonly Known[],
  densities: readonly Density[],
): void {
  for (const [bucket, cells] of placed.entries()) {
    const there = cells.reduce((sum, mass) => sum + mass, 0);
    const exact = known[bucket]!.times.reduce((sum, times) => sum + times, 0);
    const wanted = Math.max(0, sample.total[bucket]! - exact);
    const from = there > 0 ? cells : densities[bucket]!.mass;
    const scale = there > 0 ? wanted / there : wanted;
    for (let cell = 0; cell < cells.length; cell += 1) cells[cell] = from[cell]! * scale;
  }
}
