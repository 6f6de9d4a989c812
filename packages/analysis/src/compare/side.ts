import { interpolatePercentile, toBucketTables } from '../buckets.ts';
import { mean } from '../math.ts';
import { type RunSlice, readStat, type SeriesType } from '../run/series.ts';
import {
  type Estimate,
  estimateFromRuns,
  estimateFromSlices,
  estimateSingle,
  MIN_SLICES,
} from './estimate.ts';
import type { SeriesFigures } from './rollup.ts';

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
const MIN_OBSERVATIONS = 20;

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
export function estimateSide(
  figures: readonly (SeriesFigures | undefined)[],
  stat: string,
  type: SeriesType,
): Side | undefined {
  const runs: number[] = [];
  let only: SeriesFigures | undefined;
  for (const one of figures) {
    const value = one && readStat(one, stat);
    if (value === undefined || !Number.isFinite(value)) continue;
    runs.push(value);
    only = one;
  }
  if (!only) return undefined;
  if (runs.length > 1) return { estimate: estimateFromRuns(runs), runs };
  return { estimate: sliced(only, stat, type, runs[0]!) ?? estimateSingle(runs[0]!), runs };
}

function sliced({ slices }: SeriesFigures, stat: string, type: SeriesType, value: number): Estimate | null {
  if (slices.length < MIN_SLICES) return null;
  if (stat === 'avg' && (type === 'histogram' || (type === 'client' && slices.some(({ count }) => count)))) {
    const full = slices.filter(slice => (slice.count ?? 0) > 0 && slice.avg !== undefined);
    return estimateFromSlices(
      value,
      full.map(slice => slice.avg!),
      full.map(slice => slice.count!),
    );
  }
  const percent = type === 'histogram' ? /^p(\d+)_estimate$/.exec(stat) : null;
  if (percent) return percentiles(slices, Number(percent[1]) / 100, value);
  const values = slices.flatMap(slice => sliceValue(slice, stat, type) ?? []);
  return values.length === slices.length ? estimateFromSlices(value, values) : null;
}

/** Percentiles of slices are not those of the run, but they tell how much the run's may be off, in proportion. */
function percentiles(slices: readonly RunSlice[], share: number, value: number): Estimate | null {
  const tables = toBucketTables(slices.map(({ buckets }) => buckets)).filter(
    table => table !== undefined && table.total >= MIN_OBSERVATIONS,
  );
  if (tables.length === 0) return null;
  const values = tables.map(table => interpolatePercentile(table!, share));
  const estimate = estimateFromSlices(value, values);
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
