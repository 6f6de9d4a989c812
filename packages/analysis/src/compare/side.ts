import { bucketTables, linearPercentile } from '../buckets.ts';
import { mean } from '../math.ts';
import { type RunSlice, type SeriesType, statOf } from '../run/series.ts';
import { type Estimate, LEAST_SLICES, lone, ofRuns, ofSlices } from './estimate.ts';
import type { Figures } from './rollup.ts';

/** Statistics that are compared when none are asked for, by type. */
export const DEFAULT_STATS: Readonly<Record<SeriesType, readonly string[]>> = {
  gauge: ['avg'],
  unknown: ['avg'],
  counter: ['rate'],
  histogram: ['avg', 'p99_estimate'],
  summary: ['avg'],
  client: ['avg', 'p99'],
};

/** A percentile of fewer observations is one of them, and jumps. */
const LEAST_OBSERVATIONS = 20;

/** One statistic of one side: what it is, and how far off it may be. */
export interface Side {
  readonly estimate: Estimate;
  /** One value a run. */
  readonly runs: readonly number[];
}

/**
 * What one side says of a statistic: the mean of its runs. Its noise is seen between runs where there are several, else
 * between the timeslices of the one. Undefined where no run has it.
 */
export function sideOf(
  figures: readonly (Figures | undefined)[],
  stat: string,
  type: SeriesType,
): Side | undefined {
  const runs: number[] = [];
  let only: Figures | undefined;
  for (const one of figures) {
    const value = one && statOf(one, stat);
    if (value === undefined || !Number.isFinite(value)) continue;
    runs.push(value);
    only = one;
  }
  if (!only) return undefined;
  if (runs.length > 1) return { estimate: ofRuns(runs), runs };
  return { estimate: sliced(only, stat, type, runs[0]!) ?? lone(runs[0]!), runs };
}

function sliced({ slices }: Figures, stat: string, type: SeriesType, value: number): Estimate | null {
  if (slices.length < LEAST_SLICES) return null;
  if (stat === 'avg' && (type === 'histogram' || (type === 'client' && slices.some(({ count }) => count)))) {
    const full = slices.filter(slice => (slice.count ?? 0) > 0 && slice.avg !== undefined);
    return ofSlices(
      value,
      full.map(slice => slice.avg!),
      full.map(slice => slice.count!),
    );
  }
  const percent = type === 'histogram' ? /^p(\d+)_estimate$/.exec(stat) : null;
  if (percent) return percentiles(slices, Number(percent[1]) / 100, value);
  const values = slices.flatMap(slice => sliceValue(slice, stat, type) ?? []);
  return values.length === slices.length ? ofSlices(value, values) : null;
}

/** Percentiles of slices are not those of the run, but they tell how much the run's may be off, in proportion. */
function percentiles(slices: readonly RunSlice[], share: number, value: number): Estimate | null {
  const tables = bucketTables(slices.map(({ buckets }) => buckets)).filter(
    table => table !== undefined && table.total >= LEAST_OBSERVATIONS,
  );
  if (tables.length === 0) return null;
  const values = tables.map(table => linearPercentile(table!, share));
  const estimate = ofSlices(value, values);
  const centre = mean(values);
  if (!estimate || centre <= 0) return estimate;
  // Slices that all end in one bucket show no noise, which does not mean that there is none.
  if (estimate.error === 0) return null;
  const scale = value / centre;
  return { ...estimate, error: estimate.error * scale, deviation: estimate.deviation * scale };
}

function sliceValue(slice: RunSlice, stat: string, type: SeriesType): number | undefined {
  if (type === 'counter') return stat === 'rate' ? slice.rate : stat === 'total' ? slice.total : undefined;
  if (type === 'histogram') {
    const seconds = Number(slice.end_ns - slice.start_ns) / 1e9;
    if (stat === 'count_rate' && slice.count !== undefined) return slice.count / seconds;
    return stat === 'sum_rate' && slice.sum !== undefined ? slice.sum / seconds : undefined;
  }
  return stat === 'avg' ? slice.avg : undefined;
}
