import { expect, test } from 'vitest';
import { combineRuns, combineVariation } from '../../src/aggregate/combinedStatistics.ts';
import { extractRunStatistics } from '../../src/aggregate/runStatistics.ts';
import { createExport, createServerMetrics } from '../support/profileExports.ts';

const first = extractRunStatistics(createExport([100], 4), createServerMetrics(3, 40));
const second = extractRunStatistics(createExport([200], 6), createServerMetrics(5, 44));
/** A run with a metric that the other runs lack. */
const extra = extractRunStatistics(createExport([300], 8, { error_isl: { unit: 'tokens', avg: 5 } }));

test('computes an interval for every statistic that at least two runs have', () => {
  const { metrics, serverMetrics } = combineRuns([first, second], 0.95);
  expect(metrics.request_latency_avg).toMatchObject({ mean: 150, min: 100, max: 200, unit: 'ms' });
  expect(metrics.request_latency_avg).not.toHaveProperty('num_runs');
  expect(serverMetrics.running!.series).toHaveLength(1);
  expect(serverMetrics.running!.series[0]!.stats.avg!.mean).toBe(4);
  expect(serverMetrics.served).toMatchObject({ type: 'counter', unit: 'requests' });
});

test('records how many runs have a statistic if some runs lack it, and omits a statistic that only one run has', () => {
  const { metrics, serverMetrics } = combineRuns([first, second, extra], 0.95);
  expect(metrics).not.toHaveProperty('error_isl_avg');
  expect(serverMetrics.running!.series[0]!.stats.avg!.num_runs).toBe(2);
});

test('includes a statistic that only one run of a variation has, without an interval', () => {
  expect(combineVariation([extra], 0.95).metrics.error_isl_avg).toEqual({ mean: 5, unit: 'tokens' });
  const { metrics } = combineVariation([first, extra], 0.95);
  expect(metrics.error_isl_avg).toEqual({ mean: 5, unit: 'tokens', num_runs: 1 });
  expect(metrics.request_latency_avg).toMatchObject({ mean: 200, ci_low: expect.any(Number) });
});

test('keeps series with different labels or endpoints apart', () => {
  const moved = {
    ...second,
    servers: second.servers.map(series => ({ ...series, endpointUrl: 'http://b:8000/metrics' })),
  };
  const { serverMetrics } = combineVariation([first, moved], 0.95);
  expect(serverMetrics.running!.series.map(({ endpoint_url }) => endpoint_url)).toEqual([
    'http://a:8000/metrics',
    'http://b:8000/metrics',
  ]);
});
