import { max, mean, sum } from '../math.ts';
import type { KeyMetric } from './keyMetrics.ts';

/**
 * Combines the series of a metric into one; requires at least one series. Series that repeat the values of others do not
 * count. Counts, rates and numbers of requests are
 * added, and ratios are averaged. Means of histograms are weighted by their number of observations. An endpoint that
 * joined late or died contributes only for this time: the sum is the mean or the rate of the whole period.
 *
 * The maximum of a sum is unknown, because the series may have their maxima at different times. The result has the sum
 * of the maxima, which is an upper bound, and no percentiles. Other results have the highest maximum and p99 of all
 * series.
 */
export function combineSeries(series: readonly KeyMetric[]): KeyMetric {
  const metrics = series.filter(({ isRepeat }) => !isRepeat);
  const [first] = metrics;
  if (metrics.length === 1 || !first) return first!;
  const listStat = (name: string): number[] => metrics.flatMap(({ stats }) => stats[name] ?? []);
  const listInPeriod = (name: 'avg' | 'rate' | 'rate_upper'): number[] =>
    metrics.flatMap(({ stats, presence = 1, uptimeShare = 1 }) =>
      // A mean lacks the samples of a server that is down; a rate includes this time.
      stats[name] === undefined ? [] : [stats[name] * presence * (name === 'avg' ? uptimeShare : 1)],
    );
  const isSum = !first.isAveraged && first.type !== 'histogram';
  const avg =
    first.type === 'histogram'
      ? computeWeightedMean(metrics)
      : isSum
        ? sum(listInPeriod('avg'))
        : mean(listStat('avg'));
  return {
    ...first,
    endpoint: '',
    endpointUrl: '',
    labels: {},
    stats: {
      ...(listStat('avg').length > 0 && { avg }),
      ...(isSum
        ? listStat('max').length > 0 && { max: sum(listStat('max')) }
        : { ...toFiniteStat('max', max(listStat('max'))), ...toFiniteStat('p99', max(listStat('p99'))) }),
      ...toFiniteStat('p99_estimate', max(listStat('p99_estimate'))),
      ...(listStat('total').length > 0 && { total: sum(listStat('total')) }),
      ...(listStat('rate').length > 0 && { rate: sum(listInPeriod('rate')) }),
      ...(listStat('rate_upper').length > 0 && { rate_upper: sum(listInPeriod('rate_upper')) }),
      ...(listStat('count').length > 0 && { count: sum(listStat('count')) }),
    },
    trend: combineTrends(metrics, isSum),
  };
}

function toFiniteStat(name: string, value: number): object {
  return Number.isFinite(value) ? { [name]: value } : {};
}

function computeWeightedMean(metrics: readonly KeyMetric[]): number {
  const observed = metrics.filter(({ stats }) => stats.avg !== undefined && stats.count !== undefined);
  const count = sum(observed.map(({ stats }) => stats.count!));
  return sum(observed.map(({ stats }) => stats.avg! * stats.count!)) / count;
}

/** Combines trends, which have the same time axis. Series without a value do not contribute. */
function combineTrends(metrics: readonly KeyMetric[], isAdditive: boolean): (number | null)[] {
  const length = metrics.reduce((longest, { trend }) => Math.max(longest, trend.length), 0);
  return Array.from({ length }, (_, i) => {
    const values = metrics.flatMap(({ trend }) => trend[i] ?? []);
    if (values.length === 0) return null;
    return isAdditive ? sum(values) : mean(values);
  });
}
