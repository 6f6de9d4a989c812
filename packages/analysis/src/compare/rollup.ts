import { interpolatePercentile, toBucketTable } from '../buckets.ts';
import { isRatioUnit, max, mean, sum } from '../math.ts';
import {
  type Buckets,
  type RunSeries,
  type RunSlice,
  readStat,
  type Stats,
  selectCompleteSlices,
} from '../run/series.ts';

/** How several series (ranks, replicas, engines) become one. */
export type Rollup = 'auto' | 'sum' | 'mean' | 'max';

/** What a comparison needs of a series; of one, or of several that were rolled up. */
export interface SeriesFigures {
  readonly stats: Stats;
  /** Complete ones only. */
  readonly slices: readonly RunSlice[];
  readonly seriesCount: number;
}

export function figuresOf(one: RunSeries): SeriesFigures {
  return { stats: one.stats, slices: selectCompleteSlices(one), seriesCount: 1 };
}

/**
 * Several series as one. `auto`: counters and levels add up, shares are averaged, histograms are merged bucket by bucket.
 * `sum` merges histograms too; `mean` and `max` take each statistic by itself.
 *
 * Percentiles of merged histograms are linear within their bucket, whatever the export's method: the estimates of
 * single histograms cannot be joined.
 */
export function rollUp(series: readonly RunSeries[], how: Rollup): SeriesFigures {
  const [first] = series;
  const merges = first!.type === 'histogram' && (how === 'auto' || how === 'sum');
  const kind = how === 'auto' ? (isRatioUnit(first!.unit) ? 'mean' : 'sum') : how;
  const stats = merges ? mergedStats(series) : joinedStats(series, kind);
  const slices = joinedSlices(series.map(selectCompleteSlices), at =>
    merges ? mergedSlice(at) : joinedSlice(at, kind),
  );
  return { stats, slices, seriesCount: series.length };
}

type Kind = 'sum' | 'mean' | 'max';

/** Percentiles, extremes and deviations of a sum are not the sums of theirs. */
const ADDS: ReadonlySet<string> = new Set([
  'avg',
  'total',
  'rate',
  'count',
  'sum',
  'count_rate',
  'sum_rate',
  'increase',
]);

function joinedStats(series: readonly RunSeries[], kind: Kind): Stats {
  const names = new Set(series.flatMap(({ stats }) => Object.keys(stats)));
  const kept = [...names].filter(name => kind !== 'sum' || ADDS.has(name));
  return Object.fromEntries(
    kept.flatMap(name => {
      const values = series.flatMap(one => readStat(one, name) ?? []);
      // A statistic that a part does not have is unknown of the whole; a maximum is not.
      const known = kind === 'max' ? values.length > 0 : values.length === series.length;
      return known ? [[name, joined(values, kind)]] : [];
    }),
  );
}

function joined(values: readonly number[], kind: Kind): number {
  return { sum, mean, max }[kind](values);
}

const PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 99];

function mergedStats(series: readonly RunSeries[]): Stats {
  const total = (name: string): number => sum(series.flatMap(one => readStat(one, name) ?? []));
  const count = total('count');
  const observed = total('sum');
  const table = toBucketTable(mergedBuckets(series.map(({ buckets }) => buckets)));
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

/** Null when one has none after a reset, or when bounds differ: then there is nothing to add. */
function mergedBuckets(all: readonly (Buckets | null | undefined)[]): Buckets | null {
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

/** Slice by slice, as far as all have them: series of one run are cut at the same times. */
function joinedSlices(
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

function mergedSlice(at: readonly RunSlice[]): Omit<RunSlice, 'start_ns' | 'end_ns'> {
  const count = sum(at.map(slice => slice.count ?? 0));
  const observed = sum(at.map(slice => slice.sum ?? 0));
  return {
    count,
    sum: observed,
    avg: count > 0 ? observed / count : 0,
    buckets: mergedBuckets(at.map(({ buckets }) => buckets)),
  };
}

function joinedSlice(at: readonly RunSlice[], kind: Kind): Omit<RunSlice, 'start_ns' | 'end_ns'> {
  const of = (name: 'avg' | 'rate' | 'total' | 'count'): object => {
    const values = at.flatMap(slice => slice[name] ?? []);
    return values.length === at.length ? { [name]: joined(values, kind) } : {};
  };
  return { ...of('avg'), ...of('rate'), ...of('total'), ...of('count') };
}
