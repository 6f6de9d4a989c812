import type { ProfileSweep, SweepMetric } from '@org/formats';
import { expect, test } from 'vitest';
import { computeHalfWidth, normalizeSweep } from '../../src/sweep/normalizeSweep.ts';

function createSweep(metrics: readonly Record<string, SweepMetric>[]): ProfileSweep {
  return {
    aggregation_type: 'sweep',
    num_profile_runs: metrics.length,
    num_successful_runs: metrics.length,
    metadata: { sweep_parameters: [], num_combinations: metrics.length },
    per_combination_metrics: metrics.map((each, index) => ({
      parameters: { concurrency: index + 1 },
      metrics: each,
    })),
    best_configurations: {},
    pareto_optimal: [],
  };
}

/** The blocks of one run in a sweep of AIPerf 0.13.0. */
function createSingleRun(throughput: number, latency: number): Record<string, SweepMetric> {
  const spread = { std: 0, cv: 0 };
  const value = { mean: throughput, avg: throughput, min: throughput, max: throughput };
  return {
    request_throughput: {
      ...{ ...value, ...spread, ci_low: throughput, ci_high: throughput, unit: 'requests/sec' },
    },
    request_latency: {
      ...{ mean: latency, avg: latency, ...spread, min: 1, max: 900, ci_low: latency, ci_high: latency },
      ...{ unit: 'ms', p50: latency - 1, p99: latency + 1, count: 30, sum: 30 * latency },
    },
  };
}

test('names the statistics of single runs as in repeated sweeps, without intervals', () => {
  const { per_combination_metrics: variations } = normalizeSweep(createSweep([createSingleRun(8, 100)]));
  expect(variations[0]!.metrics).toEqual({
    request_throughput_avg: { mean: 8, unit: 'requests/sec' },
    request_latency_avg: { mean: 100, unit: 'ms' },
    request_latency_min: { mean: 1, unit: 'ms' },
    request_latency_max: { mean: 900, unit: 'ms' },
    request_latency_sum: { mean: 3000, unit: 'ms' },
    request_latency_p50: { mean: 99, unit: 'ms' },
    request_latency_p99: { mean: 101, unit: 'ms' },
  });
});

test('leaves out the average and maximum of failed requests, which AIPerf writes as 0', () => {
  const unknown = {
    mean: 0,
    avg: 0,
    std: 0,
    min: 107,
    max: 0,
    cv: 0,
    ci_low: 0,
    ci_high: 0,
    unit: 'ms',
    p10: 147,
  };
  const sweep = createSweep([{ ...createSingleRun(8, 100), adj_request_latency: unknown }]);
  const [variation] = normalizeSweep(sweep).per_combination_metrics;
  const names = Object.keys(variation!.metrics).filter(name => name.startsWith('adj_'));
  expect(names.sort()).toEqual(['adj_request_latency_min', 'adj_request_latency_p10']);
});

test('finds the best variations, which AIPerf does not find in single runs', () => {
  const sweep = createSweep([createSingleRun(8, 100), createSingleRun(16, 200), createSingleRun(12, 300)]);
  expect(normalizeSweep(sweep)).toMatchObject({
    best_configurations: { best_throughput: { parameters: { concurrency: 2 }, metric: 16 } },
    pareto_optimal: [{ concurrency: 1 }, { concurrency: 2 }],
  });
});

test('keeps the Pareto-optimal variations of a file, which may meet further conditions', () => {
  const sweep = createSweep([createSingleRun(8, 100), createSingleRun(16, 200)]);
  const optimal = [{ concurrency: 2 }];
  expect(normalizeSweep({ ...sweep, pareto_optimal: optimal }).pareto_optimal).toEqual(optimal);
});

test.each<[string, Partial<SweepMetric>, number | undefined]>([
  ['both ends', { ci_low: 8, ci_high: 12 }, 2],
  ['a critical value', { ci_low: 8, ci_high: 12, t_critical: 12.7 }, 2],
  ['no critical value, as with one run', { ci_low: 10, ci_high: 10, t_critical: null }, undefined],
  ['no interval', {}, undefined],
])('computes half the width of an interval with %s', (_, block, half) => {
  expect(computeHalfWidth(block)).toBe(half);
});

test('omits the empty intervals of a variation with one successful run of several', () => {
  const value = { mean: 5, std: 0, min: 5, max: 5, cv: 0, ci_low: 5, ci_high: 5, unit: 'ms' };
  const { per_combination_metrics: variations } = normalizeSweep(
    createSweep([{ request_latency_p99: value }]),
  );
  expect(variations[0]!.metrics.request_latency_p99).toEqual({ mean: 5, unit: 'ms' });
});
