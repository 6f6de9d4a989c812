import type { Sample } from './sample.ts';

/** Exactly known values of a bucket, in ascending order, and how often each occurs. */
export interface KnownValues {
  readonly value: Float64Array;
  readonly times: Float64Array;
}

/** Exactly known observations of a sample. */
export interface ExactValues {
  /** By row: 1 if all observations are known, else 0. */
  readonly rows: Uint8Array;
  /** Known values by active bucket. */
  readonly known: readonly KnownValues[];
}

/** A value and the number of its occurrences. */
interface Occurrence {
  readonly value: number;
  times: number;
}

/**
 * Finds the intervals whose observations are known exactly: at most one observation is in a bucket with a
 * width, or the sum is the smallest or largest possible sum, so that all observations are on edges.
 */
export function findExactValues(sample: Sample): ExactValues {
  const rows = new Uint8Array(sample.rows);
  const found: Occurrence[][] = sample.bucket.map(() => []);
  for (let row = 0; row < sample.rows; row += 1) {
    const getValue = findRowValues(sample, row);
    if (getValue === null) continue;
    rows[row] = 1;
    for (let at = sample.start[row]!; at < sample.start[row + 1]!; at += 1) {
      const bucket = sample.active[at]!;
      found[bucket]!.push({ value: getValue(bucket), times: sample.count[at]! });
    }
  }
  return { rows, known: found.map(occurrences => mergeEqual(occurrences, 4 * sample.tolerance)) };
}

/** Returns a function from a bucket to the value of the row's observations in it; null if they are unknown. */
function findRowValues(sample: Sample, row: number): ((bucket: number) => number) | null {
  const { start, active, count, sum, lower, upper, tolerance } = sample;
  let unknownCount = 0;
  let excessOverMin = sum[row]!;
  let excessOverMax = sum[row]!;
  for (let at = start[row]!; at < start[row + 1]!; at += 1) {
    const bucket = active[at]!;
    if (lower[bucket] !== upper[bucket]) unknownCount += count[at]!;
    excessOverMin -= count[at]! * lower[bucket]!;
    excessOverMax -= count[at]! * upper[bucket]!;
  }
  if (unknownCount === 1)
    return bucket => (lower[bucket] === upper[bucket] ? 0 : excessOverMin) + lower[bucket]!;
  if (Math.abs(excessOverMax) <= tolerance) return bucket => upper[bucket]!;
  return Math.abs(excessOverMin) <= tolerance ? bucket => lower[bucket]! : null;
}

/** Sorts occurrences by value, and merges values that differ by at most `tolerance`. */
function mergeEqual(occurrences: Occurrence[], tolerance: number): KnownValues {
  occurrences.sort((a, b) => a.value - b.value);
  const distinct: Occurrence[] = [];
  for (const { value, times } of occurrences) {
    const last = distinct.at(-1);
    if (last !== undefined && value - last.value <= tolerance) last.times += times;
    else distinct.push({ value, times });
  }
  return {
    value: Float64Array.from(distinct, occurrence => occurrence.value),
    times: Float64Array.from(distinct, occurrence => occurrence.times),
  };
}
