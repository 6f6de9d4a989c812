import { max, mean, sum } from '../math.ts';
import { isRatioUnit } from '../run/series.ts';
import type { KeyMetric } from './keyMetrics.ts';

/**
 * Combines the series of a metric; requires at least one. Counts, rates and numbers of requests are
 * added, ratios are averaged, and the highest p99 and maximum are kept. Means of histograms are weighted by
 * their observations.
 */
export function combineSeries(metrics: readonly KeyMetric[]): KeyMetric {
  const [first] = metrics;
  if (metrics.length === 1 || !first) return first!;
  const adds = !shouldAverage(first);
  const all = (name: string): number[] => metrics.flatMap(({ stats }) => stats[name] ?? []);
  const avg =
    first.type === 'histogram' ? computeWeightedMean(metrics) : adds ? sum(all('avg')) : mean(all('avg'));
  return {
    ...first,
    endpoint: '',
    endpointUrl: '',
    labels: {},
    stats: {
      ...(all('avg').length > 0 && { avg }),
      ...toFiniteStat('max', max(all('max'))),
      ...toFiniteStat('p99', max(all('p99'))),
      ...toFiniteStat('p99_estimate', max(all('p99_estimate'))),
      ...(all('total').length > 0 && { total: sum(all('total')) }),
      ...(all('rate').length > 0 && { rate: sum(all('rate')) }),
      ...(all('count').length > 0 && { count: sum(all('count')) }),
    },
    trend: combineTrends(metrics, adds && first.type !== 'histogram'),
  };
}

function shouldAverage({ unit, metric }: KeyMetric): boolean {
  return isRatioUnit(unit) || metric.headline?.operation === 'max';
}

function toFiniteStat(name: string, value: number): object {
  return Number.isFinite(value) ? { [name]: value } : {};
}

function computeWeightedMean(metrics: readonly KeyMetric[]): number {
  const observed = metrics.filter(({ stats }) => stats.avg !== undefined && stats.count !== undefined);
  const count = sum(observed.map(({ stats }) => stats.count!));
  return sum(observed.map(({ stats }) => stats.avg! * stats.count!)) / count;
}

/** Combines trends slice by slice. A series with fewer slices does not contribute beyond its last one. */
function combineTrends(metrics: readonly KeyMetric[], adds: boolean): number[] {
  const length = metrics.reduce((most, { trend }) => Math.max(most, trend.length), 0);
  return Array.from({ length }, (_, i) => {
    const values = metrics.flatMap(({ trend }) => (i < trend.length ? trend[i]! : []));
    return adds ? sum(values) : mean(values);
  });
}
