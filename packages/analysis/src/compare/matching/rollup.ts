import { interpolatePercentile, toBucketTable } from '../../buckets.ts';
import { max, mean, sum } from '../../math.ts';
import {
  type Buckets,
  isNonAdditiveUnit,
  type RunSeries,
  type RunSlice,
  readStat,
  type Stats,
  selectCompleteSlices,
} from '../../run/series.ts';
import { groupSlicesByTime } from '../../run/slices.ts';
import { toUpperRate } from '../../run/statisticsWindow.ts';

/** Method of combining several series, such as ranks, replicas or engines, into one. */
export type Rollup = 'auto' | 'sum' | 'mean' | 'max';

/** The values of a single series, or of several combined series. */
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
 * Combines several series. `auto` sums counters and additive gauges, averages ratios, and merges histograms bucket by
 * bucket. `sum` also merges histograms. `mean` and `max` combine each statistic separately.
 *
 * Percentiles of merged histograms are interpolated linearly within their bucket, regardless of the percentile
 * method of the export, because estimates of separate histograms cannot be combined.
 */
export function rollUp(series: readonly RunSeries[], rollup: Rollup): SeriesValues {
  const [first] = series;
  const shouldMerge = first!.type === 'histogram' && (rollup === 'auto' || rollup === 'sum');
  const operation = rollup === 'auto' ? (isNonAdditiveUnit(first!.unit) ? 'mean' : 'sum') : rollup;
  const stats = shouldMerge ? mergeStats(series) : combineStats(series, operation);
  const slices = combineSlices(series.map(selectCompleteSlices), slicesAtTime =>
    shouldMerge ? mergeSlice(slicesAtTime) : combineSlice(slicesAtTime, operation),
  );
  return { stats, slices, seriesCount: series.length };
}

type Operation = 'sum' | 'mean' | 'max';

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
  ...['rate', 'count_rate', 'sum_rate'].map(toUpperRate),
]);

function combineStats(series: readonly RunSeries[], operation: Operation): Stats {
  const names = new Set(series.flatMap(({ stats }) => Object.keys(stats)));
  const combinableNames = [...names].filter(name => operation !== 'sum' || ADDITIVE_STATS.has(name));
  return Object.fromEntries(
    combinableNames.flatMap(name => {
      const values = series.flatMap(entry => readStat(entry, name) ?? []);
      // A sum or mean requires the statistic of every series; a maximum does not.
      const isAvailable = operation === 'max' ? values.length > 0 : values.length === series.length;
      return isAvailable ? [[name, combineValues(values, operation)]] : [];
    }),
  );
}

function combineValues(values: readonly number[], operation: Operation): number {
  return { sum, mean, max }[operation](values);
}

/** Percentiles to estimate from merged buckets. */
const PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 99];

function mergeStats(series: readonly RunSeries[]): Stats {
  const sumStat = (name: string): number => sum(series.flatMap(entry => readStat(entry, name) ?? []));
  const count = sumStat('count');
  // The mean of a histogram without sums is unknown.
  const hasSums = series.every(entry => readStat(entry, 'sum') !== undefined || !readStat(entry, 'count'));
  const observed = sumStat('sum');
  const table = toBucketTable(mergeBuckets(series.map(({ buckets }) => buckets)));
  return {
    count,
    count_rate: sumStat('count_rate'),
    ...(hasSums && { sum: observed, sum_rate: sumStat('sum_rate') }),
    ...(hasSums && count > 0 && { avg: observed / count }),
    ...(table &&
      Object.fromEntries(
        PERCENTS.map(percent => [`p${percent}_estimate`, interpolatePercentile(table, percent / 100)]),
      )),
  };
}

/** Adds buckets. Returns null if bounds differ, or if a histogram has no buckets because of a reset. */
function mergeBuckets(bucketSets: readonly (Buckets | null | undefined)[]): Buckets | null {
  const [first] = bucketSets;
  if (!first) return null;
  const bounds = Object.keys(first);
  const merged: Record<string, number> = Object.fromEntries(bounds.map(bound => [bound, 0]));
  for (const buckets of bucketSets) {
    if (!buckets || Object.keys(buckets).length !== bounds.length) return null;
    for (const bound of bounds) {
      const count = Object.hasOwn(buckets, bound) ? buckets[bound] : undefined;
      if (count === undefined) return null;
      merged[bound] = merged[bound]! + count;
    }
  }
  return merged;
}

/** Combines slices by time. Omits times at which a series has no slice, such as before a worker joined. */
function combineSlices(
  slicesPerSeries: readonly (readonly RunSlice[])[],
  combine: (slicesAtTime: readonly RunSlice[]) => Omit<RunSlice, 'start_ns' | 'end_ns'>,
): RunSlice[] {
  return groupSlicesByTime(slicesPerSeries)
    .filter(({ length }) => length === slicesPerSeries.length)
    .map(slicesAtTime => {
      const { start_ns, end_ns } = slicesAtTime[0]!;
      return { start_ns, end_ns, ...combine(slicesAtTime) };
    });
}

function mergeSlice(slices: readonly RunSlice[]): Omit<RunSlice, 'start_ns' | 'end_ns'> {
  const count = sum(slices.map(slice => slice.count ?? 0));
  const sums = slices.flatMap(slice => slice.sum ?? []);
  const rates = slices.flatMap(slice => slice.count_rate ?? []);
  const observed = sum(sums);
  return {
    count,
    ...(sums.length === slices.length && { sum: observed, avg: count > 0 ? observed / count : 0 }),
    ...(rates.length === slices.length && { count_rate: sum(rates) }),
    buckets: mergeBuckets(slices.map(({ buckets }) => buckets)),
  };
}

function combineSlice(
  slices: readonly RunSlice[],
  operation: Operation,
): Omit<RunSlice, 'start_ns' | 'end_ns'> {
  const combine = (name: 'avg' | 'rate' | 'total' | 'count'): object => {
    const values = slices.flatMap(slice => slice[name] ?? []);
    return values.length === slices.length ? { [name]: combineValues(values, operation) } : {};
  };
  return { ...combine('avg'), ...combine('rate'), ...combine('total'), ...combine('count') };
}
