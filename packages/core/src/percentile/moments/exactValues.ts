import type { Sample } from './sample.ts';

/** Values of a bucket that are known exactly, ascending, each with how often it was seen. */
export interface Known {
  readonly value: Float64Array;
  readonly times: Float64Array;
}

/** What the intervals of a sample prove of single observations. */
export interface Exact {
  /** By row: 1 where all of its observations are known. */
  readonly rows: Uint8Array;
  /** By active bucket. */
  readonly known: readonly Known[];
}

interface Sighting {
  readonly value: number;
  times: number;
}

/**
 * Finds the intervals whose observations are known exactly: all but one lie in buckets without width, or the sum is
 * the smallest or the largest that the buckets allow, so that all lie on edges.
 */
export function exactValues(sample: Sample): Exact {
  const rows = new Uint8Array(sample.rows);
  const found: Sighting[][] = sample.bucket.map(() => []);
  for (let row = 0; row < sample.rows; row += 1) {
    const values = valuesOf(sample, row);
    if (values === null) continue;
    rows[row] = 1;
    for (let at = sample.start[row]!; at < sample.start[row + 1]!; at += 1) {
      const bucket = sample.active[at]!;
      found[bucket]!.push({ value: values(bucket), times: sample.count[at]! });
    }
  }
  return { rows, known: found.map(sightings => merged(sightings, 4 * sample.tolerance)) };
}

/** The value of all observations of the row by bucket; null when it is not known. */
function valuesOf(sample: Sample, row: number): ((bucket: number) => number) | null {
  const { start, active, count, sum, lower, upper, tolerance } = sample;
  let unknown = 0;
  let atLower = sum[row]!;
  let atUpper = sum[row]!;
  for (let at = start[row]!; at < start[row + 1]!; at += 1) {
    const bucket = active[at]!;
    if (lower[bucket] !== upper[bucket]) unknown += count[at]!;
    atLower -= count[at]! * lower[bucket]!;
    atUpper -= count[at]! * upper[bucket]!;
  }
  if (unknown === 1) return bucket => (lower[bucket] === upper[bucket] ? 0 : atLower) + lower[bucket]!;
  if (Math.abs(atUpper) <= tolerance) return bucket => upper[bucket]!;
  return Math.abs(atLower) <= tolerance ? bucket => lower[bucket]! : null;
}

/** Takes equal values together. */
function merged(sightings: Sighting[], tolerance: number): Known {
  sightings.sort((a, b) => a.value - b.value);
  const distinct: Sighting[] = [];
  for (const { value, times } of sightings) {
    const last = distinct.at(-1);
    if (last !== undefined && value - last.value <= tolerance) last.times += times;
    else distinct.push({ value, times });
  }
  return {
    value: Float64Array.from(distinct, sighting => sighting.value),
    times: Float64Array.from(distinct, sighting => sighting.times),
  };
}
