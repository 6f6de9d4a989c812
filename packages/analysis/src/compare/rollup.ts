import { interpolatePercentile, toBucketTable } from '../buckets.ts';
import { max, mean, sum } from '../math.ts';
import {
  type Buckets,
  isRatioUnit,
  type RunSeries,
  type RunSlice,
  readStat,
  type Stats,
  selectCompleteSlices,
} from '../run/series.ts';

/** Method of combining several series, such as ranks, replicas or engines, into one. */
export type Rollup = 'auto' | 'sum' | 'mean' | 'max';

/** The values of one series, or of several that were combined. */
export interface SeriesValues {
  readonly stats: Stats;
  /** Complete slices only. */
  readonly slices: readonly RunSlice[];
  readonly seriesCount: number;
}

/** Returns the values of a single series. */
export function toSeriesValues(entry: RunSeries): SeriesValues {
  return { stats: entry.stats, slices: selectCompleteSlices(entry), seriesCount: 1 };
}

/**
 * Combines several series. `auto` adds counters and levels, averages ratios, and merges histograms bucket by
 * bucket. `sum` merges histograms too; `mean` and `max` treat each statistic separately.
 *
 * Percentiles of merged histograms are interpolated linearly within their bucket, whatever the method of the
 * export, because estimates of single histograms cannot be combined.
 */
export function rollUp(series: readonly RunSeries[], how: Rollup): SeriesValues {
  const [first] = series;
  const merges = first!.type === 'histogram' && (how === 'auto' || how === 'sum');
  const kind = how === 'auto' ? (isRatioUnit(first!.unit) ? 'mean' : 'sum') : how;
  const stats = merges ? mergeStats(series) : combineStats(series, kind);
  const slices = combineSlices(series.map(selectCompleteSlices), at =>
    merges ? mergeSlice(at) : combineSlice(at, kind),
  );
  return { stats, slices, seriesCount: series.length };
}

type Kind = 'sum' | 'mean' | 'max';

/** Statistics that can be added, in contrast to percentiles, extremes and standard deviations. */
const ADDITIVE_STATS: ReadonlySet<string> = new Set([
  'avg',
  'total',
  'rate',
  'count',
  'sum',
  'count_rate',
  'sum_rate',
  'increase',
]);

function combineStats(series: readonly RunSeries[], kind: Kind): Stats {
  const names = new Set(series.flatMap(({ stats }) => Object.keys(stats)));
  const kept = [...names].filter(name => kind !== 'sum' || ADDITIVE_STATS.has(name));
  return Object.fromEntries(
    kept.flatMap(name => {
      const values = series.flatMap(entry => readStat(entry, name) ?? []);
      // A sum or mean requires the statistic of every series; a maximum does not.
      const known = kind === 'max' ? values.length > 0 : values.length === series.length;
      return known ? [[name, combineValues(values, kind)]] : [];
    }),
  );
}

function combineValues(values: readonly number[], kind: Kind): number {
  return { sum, mean, max }[kind](values);
}

const PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 99];

function mergeStats(series: readonly RunSeries[]): Stats {
  const total = (name: string): number => sum(series.flatMap(entry => readStat(entry, name) ?? []));
  const count = total('count');
  const observed = total('sum');
  const table = toBucketTable(mergeBuckets(series.map(({ buckets }) => buckets)));
  return {
    count,
    sum: observed,
    count_rate: total('count_rate'),
    sum_rate: total('sum_rate'),
    ...(count > 0 && { avg: observed / count }),
    ...(table &&
      Object.fromEntries(
        PERCENTS.map(percent => [`p${percent}_estimate`, interpolatePercentile(table, percent / 100)]),
      )),
  };
}

/** Adds buckets. Returns null if a histogram has none after a reset, or if bounds differ. */
function mergeBuckets(all: readonly (Buckets | null | undefined)[]): Buckets | null {
  const [first] = all;
  if (!first) return null;
  const bounds = Object.keys(first);
  const merged: Record<string, number> = Object.fromEntries(bounds.map(bound => [bound, 0]));
  for (const buckets of all) {
    if (!buckets || Object.keys(buckets).length !== bounds.length) return null;
    for (const bound of bounds) {
      const count = Object.hasOwn(buckets, bound) ? buckets[bound] : undefined;
      if (count === undefined) return null;
      merged[bound] = merged[bound]! + count;
    }
  }
  return merged;
}

/** Combines slices by position, up to the shortest series: the series of a run have slices at the same times. */
function combineSlices(
  all: readonly (readonly RunSlice[])[],
  join: (at: readonly RunSlice[]) => Omit<RunSlice, 'start_ns' | 'end_ns'>,
): RunSlice[] {
  const length = all.reduce((least, slices) => Math.min(least, slices.length), Number.POSITIVE_INFINITY);
  return Array.from({ length }, (_, i) => {
    const at = all.map(slices => slices[i]!);
    const { start_ns, end_ns } = at[0]!;
    return { start_ns, end_ns, ...join(at) };
  });
}

function mergeSlice(at: readonly RunSlice[]): Omit<RunSlice, 'start_ns' | 'end_ns'> {
  const count = sum(at.map(slice => slice.count ?? 0));
  const observed = sum(at.map(slice => slice.sum ?? 0));
  return {
    count,
    sum: observed,
    avg: count > 0 ? observed / count : 0,
    buckets: mergeBuckets(at.map(({ buckets }) => buckets)),
  };
}

function combineSlice(at: readonly RunSlice[], kind: Kind): Omit<RunSlice, 'start_ns' | 'end_ns'> {
  const combine = (name: 'avg' | 'rate' | 'total' | 'count'): object => {
    const values = at.flatMap(slice => slice[name] ?? []);
    return values.length === at.length ? { [name]: combineValues(values, kind) } : {};
  };
  return { ...combine('avg'), ...combine('rate'), ...combine('total'), ...combine('count') };
}
