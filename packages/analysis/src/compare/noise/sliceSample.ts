import type { RunSlice } from '../../run/series.ts';
import { isRunTotal, type MetricKind } from './runTotal.ts';

/** The values of a statistic in the timeslices of one run. */
export interface SliceSample {
  readonly values: readonly number[];
  /** The number of observations per value; absent if all values count equally. */
  readonly weights?: readonly number[];
  /** True if the statistic is a total and the values are its rates per second. */
  readonly isRateOfTotal?: boolean;
}

/**
 * Reads a statistic in each timeslice. Means of histograms and of client metrics are weighted by the number of
 * observations, and derived quotients by their divisor; timeslices without observations are left out. Totals are read as rates per second. Returns
 * undefined if a timeslice does not have the statistic.
 */
export function readSliceSample(
  slices: readonly RunSlice[],
  stat: string,
  metric: MetricKind,
): SliceSample | undefined {
  if (slices.length === 0) return undefined;
  if (isRate(metric, stat)) {
    const rates = readRates(slices, stat, metric);
    return rates && { values: rates, isRateOfTotal: isRunTotal(metric, stat) };
  }
  const isMean = stat === 'avg' || metric.type === 'derived';
  const isWeighted = metric.type === 'histogram' || metric.type === 'client' || metric.type === 'derived';
  if (isMean && isWeighted && slices.some(({ count }) => count)) {
    const observed = slices.filter(slice => (slice.count ?? 0) > 0 && slice.avg !== undefined);
    return { values: observed.map(slice => slice.avg!), weights: observed.map(slice => slice.count!) };
  }
  if (!isMean) return undefined;
  const values = slices.flatMap(slice => slice.avg ?? []);
  return values.length === slices.length ? { values } : undefined;
}

/** Reports whether a statistic is a rate, or a total whose noise is that of its rate. */
function isRate(metric: MetricKind, stat: string): boolean {
  if (isRunTotal(metric, stat)) return true;
  if (metric.type === 'client') return stat === 'avg' && /throughput|goodput/.test(metric.name);
  return /^(?:rate|count_rate|sum_rate)$/.test(stat);
}

/** Maximum number of missing timeslices in a gap. */
const MAX_MISSING = 100_000;

/**
 * Reads events per second in each timeslice. Client metrics have no timeslice for a time without requests; such gaps
 * count as 0. Returns undefined for gaps that are so long that almost all values would be 0.
 */
function readRates(slices: readonly RunSlice[], stat: string, metric: MetricKind): number[] | undefined {
  const rates: number[] = [];
  let previousEnd: bigint | undefined;
  for (const slice of slices) {
    const lengthNs = Number(slice.end_ns - slice.start_ns);
    const gapNs = previousEnd === undefined ? 0 : Number(slice.start_ns - previousEnd);
    const missing = metric.type === 'client' ? Math.floor(gapNs / lengthNs) : 0;
    if (!(missing <= MAX_MISSING)) return undefined;
    for (let i = 0; i < missing; i++) rates.push(0);
    rates.push(readRate(slice, stat, metric, lengthNs / 1e9));
    previousEnd = slice.end_ns;
  }
  return rates;
}

function readRate(slice: RunSlice, stat: string, metric: MetricKind, seconds: number): number {
  if (metric.type === 'counter') return slice.rate ?? (slice.total ?? 0) / seconds;
  if (metric.type === 'client')
    return isRunTotal(metric, stat) ? (slice.avg ?? 0) / seconds : (slice.avg ?? 0);
  if (stat.startsWith('count')) return slice.count_rate ?? (slice.count ?? 0) / seconds;
  return (slice.sum ?? 0) / seconds;
}
