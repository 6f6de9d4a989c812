import { isRatioUnit, max, mean, sum } from '../math.ts';
import type { KeyMetric } from './keyMetrics.ts';

/**
 * All series of one metric in one row: counts, rates and requests add up, shares are averaged, of the rest (p99, max) the
 * highest of any one series stands. Means of histograms are weighted by their observations.
 */
export function combineSeries(figures: readonly KeyMetric[]): KeyMetric {
  const [first] = figures;
  if (figures.length === 1 || !first) return first!;
  const adds = !isAveraged(first);
  const all = (name: keyof KeyMetric['stats']): number[] => figures.flatMap(({ stats }) => stats[name] ?? []);
  const avg = first.type === 'histogram' ? weighted(figures) : adds ? sum(all('avg')) : mean(all('avg'));
  return {
    ...first,
    endpoint: '',
    endpointUrl: '',
    labels: {},
    stats: {
      ...(all('avg').length > 0 && { avg }),
      ...some('max', max(all('max'))),
      ...some('p99', max(all('p99' as never))),
      ...some('p99_estimate', max(all('p99_estimate'))),
      ...(all('total').length > 0 && { total: sum(all('total')) }),
      ...(all('rate').length > 0 && { rate: sum(all('rate')) }),
      ...(all('count').length > 0 && { count: sum(all('count')) }),
    },
    trend: combinedTrend(figures, adds && first.type !== 'histogram'),
  };
}

function isAveraged({ unit, metric }: KeyMetric): boolean {
  return isRatioUnit(unit) || metric.headline?.operation === 'max';
}

function some(name: string, value: number): object {
  return Number.isFinite(value) ? { [name]: value } : {};
}

function weighted(figures: readonly KeyMetric[]): number {
  const observed = figures.filter(({ stats }) => stats.avg !== undefined && stats.count !== undefined);
  const count = sum(observed.map(({ stats }) => stats.count!));
  return sum(observed.map(({ stats }) => stats.avg! * stats.count!)) / count;
}

/** Slice by slice; series of endpoints that were sliced otherwise are left out beyond their last slice. */
function combinedTrend(figures: readonly KeyMetric[], adds: boolean): number[] {
  const length = figures.reduce((most, { trend }) => Math.max(most, trend.length), 0);
  return Array.from({ length }, (_, i) => {
    const values = figures.flatMap(({ trend }) => (i < trend.length ? trend[i]! : []));
    return adds ? sum(values) : mean(values);
  });
}
