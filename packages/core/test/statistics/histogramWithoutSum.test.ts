import { expect, it } from 'vitest';
import { estimateMomentsPercentiles } from '../../src/percentile/moments/moments.ts';
import { computeSeriesStatistics } from '../../src/statistics/seriesStatistics.ts';
import { createHistogramStore, SECOND } from '../support/stores.ts';

it('has everything but sum and average for a histogram without sums', () => {
  const { store, series } = createHistogramStore(
    [1, 2],
    [
      [0, null, 1, 2, 2],
      [1, null, 2, 4, 4],
      [2, null, 5, 9, 10],
    ],
  );
  const options = {
    period: { startNs: 0.5 * SECOND, endNs: 2 * SECOND },
    estimator: estimateMomentsPercentiles,
  };
  const result = computeSeriesStatistics(store, series, { ...options, sliceNs: SECOND })!;
  expect(result).toMatchObject({
    type: 'histogram',
    stats: { count: 8, count_rate: 4, p50_estimate: 1 },
    buckets: [
      ['1', 4],
      ['2', 7],
      ['+Inf', 8],
    ],
  });
  for (const name of ['sum', 'avg', 'sum_rate']) expect(result.stats).not.toHaveProperty(name);
  expect(JSON.stringify(result)).not.toContain('null,"');
  expect(result).toMatchObject({ percentileBounds: { p25: [0, 1] } });
});
