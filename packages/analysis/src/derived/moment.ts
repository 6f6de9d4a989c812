import type { MetricRole, RoleMetric } from '@org/servers';
import { max, mean, sum } from '../math.ts';
import { type RunSeries, type RunSlice, readStat } from '../run/series.ts';

/** The time that values are computed for: the whole period, or the slice that begins at a time. */
export type Moment = 'period' | { readonly startNs: bigint };

/** The statistics of a series at a moment. */
interface MomentStats {
  readonly avg?: number | undefined;
  readonly total?: number | undefined;
  readonly sum?: number | undefined;
  readonly count?: number | undefined;
  /** Increase per second of `total`, `sum` and `count`. */
  readonly rates: {
    readonly total?: number | undefined;
    readonly sum?: number | undefined;
    readonly count?: number | undefined;
  };
}

/** The statistic of a counter or histogram that an operation reads. */
const AMOUNTS = { total: 'total', observed: 'sum', count: 'count' } as const;

/** The operations that read an increase, as opposed to a level. */
export type AmountOperation = keyof typeof AMOUNTS;

/** Reports whether an operation reads the increase of a counter or a histogram. */
export function isAmount(operation: RoleMetric['operation']): operation is AmountOperation {
  return Object.hasOwn(AMOUNTS, operation);
}

/** Adds the increases of series, or their increases per second. Returns undefined if a series lacks the moment. */
export function readAmount(
  series: readonly RunSeries[],
  operation: AmountOperation,
  moment: Moment,
  isRate: boolean,
): number | undefined {
  const name = AMOUNTS[operation];
  const values = series.flatMap(entry => {
    const stats = readStats(entry, moment);
    return (isRate ? stats?.rates[name] : stats?.[name]) ?? [];
  });
  return values.length === series.length ? sum(values) * findScale(series) : undefined;
}

/** Combines the means of gauges. Returns undefined if a series lacks the moment. */
export function readLevel(
  series: readonly RunSeries[],
  role: MetricRole,
  { operation, valueLabel }: RoleMetric,
  moment: Moment,
): number | undefined {
  const values = series.flatMap(entry => {
    if (valueLabel !== undefined) return parseLabel(entry.labels[valueLabel]) ?? [];
    const stats = readStats(entry, moment);
    if (operation === 'busy') return stats?.rates.total === undefined ? [] : stats.rates.total / 1e6;
    return stats?.avg ?? [];
  });
  if (values.length !== series.length) return undefined;
  const value = { sum, max, mean }[operation === 'busy' ? 'sum' : (operation as 'sum' | 'max' | 'mean')](
    values,
  );
  return isPercentage(series, role) ? value / 100 : value * findScale(series);
}

/** Roles that are shares. */
const SHARES: ReadonlySet<MetricRole> = new Set(['kvCacheUsage', 'cacheHitRate', 'specAcceptanceRate']);

/** Shares are exported from 0 to 1, or in percent, such as the hit rate of SGLang in 2024. */
function isPercentage(series: readonly RunSeries[], role: MetricRole): boolean {
  return SHARES.has(role) && series.some(entry => (readStat(entry, 'max') ?? 0) > 1.5);
}

/** Factors to the units of roles. */
const SCALES: Readonly<Record<string, number>> = {
  milliseconds: 1e-3,
  microseconds: 1e-6,
  nanoseconds: 1e-9,
};

function findScale([first]: readonly RunSeries[]): number {
  return SCALES[first?.unit ?? ''] ?? 1;
}

function parseLabel(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function readStats(series: RunSeries, moment: Moment): MomentStats | undefined {
  if (moment === 'period') {
    const read = (stat: string): number | undefined => readStat(series, stat);
    return {
      ...{ avg: read('avg'), total: read('total'), sum: read('sum'), count: read('count') },
      rates: { total: read('rate'), sum: read('sum_rate'), count: read('count_rate') },
    };
  }
  const slice = findSlice(series, moment.startNs);
  if (!slice) return undefined;
  const seconds = Number(slice.end_ns - slice.start_ns) / 1e9;
  const toRate = (amount: number | undefined): number | undefined =>
    amount === undefined ? undefined : amount / seconds;
  return {
    ...{ avg: slice.avg, total: slice.total, sum: slice.sum, count: slice.count },
    rates: { total: slice.rate ?? toRate(slice.total), sum: toRate(slice.sum), count: toRate(slice.count) },
  };
}

/** The slices of each series by their start. */
const slicesByStart = new WeakMap<RunSeries, ReadonlyMap<bigint, RunSlice>>();

function findSlice(series: RunSeries, startNs: bigint): RunSlice | undefined {
  let slices = slicesByStart.get(series);
  if (!slices) {
    slices = new Map(series.slices.map(slice => [slice.start_ns, slice]));
    slicesByStart.set(series, slices);
  }
  return slices.get(startNs);
}
