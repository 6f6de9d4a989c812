import { min } from '../math.ts';
import type { RunTimes } from '../run/run.ts';
import { type RunSlice, readSliceValue } from '../run/series.ts';

/** One value per bin of a time axis; null if it is unknown, such as while an endpoint does not respond. */
export type Trend = readonly (number | null)[];

/** The time axis of the trends of a run: bins of equal width, from the start of profiling. */
export interface TrendAxis {
  readonly startNs: bigint;
  readonly widthNs: number;
  readonly bins: number;
}

/** Allowed difference between the edges of slices and bins, in bins. */
const TOLERANCE = 1e-3;
/** Maximum number of bins. For more slices, bins are wider. */
const MAX_BINS = 100_000;
/** Minimum part of a bin that slices must cover. */
const MIN_COVERAGE = 0.25;

/**
 * Creates the time axis that all series of a run share. It covers the profiling period, also the part in which no
 * series has slices. Returns undefined without slices, or if they have no length.
 *
 * @param slicesPerSeries the complete slices of each series
 */
export function createTrendAxis(
  slicesPerSeries: readonly (readonly RunSlice[])[],
  { profilingEndNs }: RunTimes,
): TrendAxis | undefined {
  const sliced = slicesPerSeries.filter(({ length }) => length > 0);
  if (sliced.length === 0) return undefined;
  const startNs = findEarliest(sliced.map(slices => slices[0]!.start_ns));
  const lastNs = -findEarliest(sliced.map(slices => -slices.at(-1)!.end_ns));
  const endNs = profilingEndNs !== undefined && profilingEndNs > lastNs ? profilingEndNs : lastNs;
  const widthNs = Math.max(min(sliced.map(computeMedianLength)), Number(endNs - startNs) / MAX_BINS);
  if (!(widthNs > 0)) return undefined;
  const bins = Math.max(
    Math.round(Number(lastNs - startNs) / widthNs),
    Math.floor(Number(endNs - startNs) / widthNs + TOLERANCE),
  );
  return { startNs, widthNs, bins };
}

/** Reads the value of a series in each bin: the mean of its slices, weighted by the time that they are in the bin. */
export function readTrend(slices: readonly RunSlice[], axis: TrendAxis | undefined): Trend {
  if (axis === undefined || slices.length === 0) return [];
  const values = new Float64Array(axis.bins);
  const coverage = new Float64Array(axis.bins);
  for (const slice of slices) {
    const value = slice.count === 0 ? Number.NaN : readSliceValue(slice);
    if (!Number.isFinite(value)) continue;
    const from = Number(slice.start_ns - axis.startNs) / axis.widthNs;
    const to = Number(slice.end_ns - axis.startNs) / axis.widthNs;
    for (let bin = Math.floor(from + TOLERANCE); bin < Math.min(axis.bins, to - TOLERANCE); bin++) {
      const part = Math.min(to, bin + 1) - Math.max(from, bin);
      values[bin]! += (part / (coverage[bin]! + part)) * (value - values[bin]!);
      coverage[bin]! += part;
    }
  }
  return Array.from(values, (value, bin) => (coverage[bin]! < MIN_COVERAGE ? null : value));
}

function computeMedianLength(slices: readonly RunSlice[]): number {
  const lengths = slices.map(({ start_ns, end_ns }) => Number(end_ns - start_ns)).sort((a, b) => a - b);
  return lengths[lengths.length >> 1]!;
}

function findEarliest(times: readonly bigint[]): bigint {
  let [earliest] = times;
  for (const time of times) if (time < earliest!) earliest = time;
  return earliest!;
}
