import { validate } from '@org/formats';
import { writeProfileAggregateCsv, writeProfileAggregateJson } from '@org/formats/write';
import { describe, expect, test } from 'vitest';
import { createExport, createServerMetrics } from '../../../record/test/support/profileExports.ts';
import {
  type AggregateSettings,
  createAggregate as createVariationAggregate,
} from '../../src/repeat/aggregate.ts';
import type { RunOutcome } from '../../src/repeat/runOutcome.ts';
import { createPlan, createReport, createSuccess, SETTINGS } from './fakes.ts';

const plan = createPlan({ runs: 4 });
const { runs } = plan;

/** Creates the aggregate of runs outside of a sweep. */
function createAggregate(outcomes: readonly RunOutcome[], settings: AggregateSettings) {
  return createVariationAggregate(plan, plan.variations[0]!, outcomes, settings);
}

const successes = [
  createSuccess(runs[0]!, createReport([100, 140], 8, { servers: createServerMetrics(3.5, 40) })),
  createSuccess(runs[1]!, createReport([110, 141], 8.25, { servers: createServerMetrics(4, 41) })),
  createSuccess(runs[3]!, {
    ...createReport([120, 140.5], 7.875, { servers: createServerMetrics(4.25, 40) }),
    document: createExport([120, 140.5], 7.875, { error_isl: { unit: 'tokens', avg: 5, count: 1 } }),
  }),
];
const outcomes = [...successes.slice(0, 2), { run: runs[2]!, error: 'server went away' }, successes[2]!];

test('counts 0 failed requests in runs without failures', () => {
  const failed = { error_request_count: { unit: 'requests', avg: 6 } };
  const document = createAggregate(
    [
      createSuccess(runs[0]!, createReport([100], 8)),
      createSuccess(runs[1]!, createReport([100], 8, { document: createExport([100], 8, failed) })),
    ],
    SETTINGS,
  )!;
  expect(document.metrics.error_request_count_avg).toMatchObject({ mean: 3, min: 0, max: 6 });
  expect(document.metadata.requests).toEqual({ succeeded: 2, failed: 6, cancelled: 0 });
});

test('contains the mean and the interval of every client and server statistic', async () => {
  const document = createAggregate(outcomes, { ...SETTINGS, cooldownSeconds: 2 })!;
  expect(document.metadata).toEqual({
    aggregation_type: 'confidence',
    num_profile_runs: 4,
    num_successful_runs: 3,
    requests: { succeeded: 6, failed: 0, cancelled: 0 },
    failed_runs: [{ label: 'run_0003', error: 'server went away' }],
    confidence_level: 0.95,
    run_labels: ['run_0001', 'run_0002', 'run_0004'],
    cooldown_seconds: 2,
    was_cancelled: false,
  });
  // Computed with numpy and scipy from 120, 125.5 and 130.25.
  const latency = document.metrics.request_latency_avg!;
  expect(latency).toMatchObject({ mean: 125.25, min: 120, max: 130.25, unit: 'ms' });
  expect(latency.ci_low).toBeCloseTo(112.50743890546869, 6);
  expect(latency.ci_high).toBeCloseTo(137.9925610945313, 6);
  const running = document.server_metrics!.running!;
  expect(running.series[0]).toMatchObject({ endpoint_url: 'http://a:8000/metrics', labels: { model: 'm' } });
  expect(running.series[0]!.stats.avg!.mean).toBeCloseTo(11.75 / 3, 12);
  expect(document.server_metrics!.served!.series[0]!.stats.rate!.unit).toBe('requests/s');
  const { issues } = await validate(writeProfileAggregateJson(document), { strict: true });
  expect(issues).toEqual([]);
  expect((await validate(writeProfileAggregateCsv(document))).issues).toEqual([]);
});

test('omits statistics that fewer than two runs have, and records num_runs if some runs lack a statistic', () => {
  const fourthSuccess = createSuccess(runs[2]!, {
    ...createReport([1], 1),
    document: createExport([120, 140.5], 7.875, { error_isl: { unit: 'tokens', avg: 7, count: 1 } }),
  });
  expect(createAggregate(outcomes, SETTINGS)!.metrics).not.toHaveProperty('error_isl_avg');
  const { metrics, server_metrics: servers } = createAggregate([...successes, fourthSuccess], SETTINGS)!;
  expect(metrics.error_isl_avg).toMatchObject({ mean: 6, num_runs: 2 });
  expect(metrics.request_latency_avg).not.toHaveProperty('num_runs');
  expect(servers!.running!.series[0]!.stats.avg).toMatchObject({ num_runs: 3 });
  expect(metrics).not.toHaveProperty('min_request_timestamp_avg');
});

test.each([
  ['only one run succeeded', [successes[0]!, { run: runs[1]!, error: 'no' }]],
  ['all runs failed', [{ run: runs[0]!, error: 'no' }]],
  ['no run was started', []],
])('returns undefined if %s', (_, runOutcomes) => {
  expect(createAggregate(runOutcomes, SETTINGS)).toBeUndefined();
});

test('accepts any metric and label names, such as __proto__', async () => {
  const serverMetrics = JSON.parse(
    '{"schema_version":"1.0","metrics":{"__proto__":{"type":"gauge","description":"","series":[{"endpoint_url":"u","labels":{"__proto__":"x","constructor":"y"},"stats":{"avg":2}}]}}}',
  );
  const twoRuns = [runs[0]!, runs[1]!].map(run =>
    createSuccess(run, createReport([5], 1, { servers: serverMetrics })),
  );
  const { server_metrics: servers } = createAggregate(twoRuns, SETTINGS)!;
  expect(Object.keys(servers!)).toEqual(['__proto__']);
  const [, metric] = Object.entries(servers!)[0]!;
  expect(Object.entries(metric.series[0]!.labels!)).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
  expect(({} as Record<string, unknown>).series).toBeUndefined();
});

test('computes an interval of width 0 for equal runs', () => {
  const same = [runs[0]!, runs[1]!].map(run => createSuccess(run, createReport([5], 0)));
  const { metrics } = createAggregate(same, SETTINGS)!;
  expect(metrics.request_latency_avg).toMatchObject({ mean: 5, std: 0, cv: 0, ci_low: 5, ci_high: 5 });
  expect(metrics.request_throughput_avg).toMatchObject({ mean: 0, cv: null });
});

describe('of a variation', () => {
  const sweep = createPlan({ concurrency: [1, 4] });
  const [, variation] = sweep.variations;
  const settings = { ...SETTINGS, model: 'm' };
  const report = createReport([100, 300], 8, { servers: createServerMetrics(1, 2) });
  const outcome = createSuccess(sweep.runs[1]!, report);

  test('describes the variation and a single run without intervals', async () => {
    const document = createVariationAggregate(sweep, variation!, [outcome], settings)!;
    expect(document.metadata).toMatchObject({
      run_labels: ['run_0001'],
      single_run: true,
      variation_label: 'concurrency_4',
      variation_values: { 'phases.profiling.concurrency': 4 },
      sweep_mode: 'repeated',
      model: 'm',
    });
    expect(document.metrics.request_latency_avg).toEqual({
      ...{ mean: 200, std: 0, min: 200, max: 200, cv: 0, se: 0 },
      ...{ ci_low: 200, ci_high: 200, t_critical: null, unit: 'ms' },
    });
    expect(document).not.toHaveProperty('server_metrics');
    expect((await validate(writeProfileAggregateJson(document), { strict: true })).issues).toEqual([]);
    expect((await validate(writeProfileAggregateCsv(document))).issues).toEqual([]);
  });

  test('has the fields of AIPerf only, if they are requested', () => {
    const plan = createPlan({ concurrency: [1, 4], runs: 2 });
    const outcomes = plan.runs
      .map(run => createSuccess(run, report))
      .filter(({ run }) => run.variation.index === 1);
    const document = createVariationAggregate(plan, variation!, outcomes, {
      ...settings,
      compatibility: 'aiperf-0.13',
    })!;
    expect(document).not.toHaveProperty('server_metrics');
    expect(document.metadata).toEqual({
      aggregation_type: 'confidence',
      num_profile_runs: 2,
      num_successful_runs: 2,
      failed_runs: [],
      confidence_level: 0.95,
      run_labels: ['run_0001', 'run_0002'],
      cooldown_seconds: 0,
      variation_label: 'phases.profiling.concurrency=4',
      variation_values: { 'phases.profiling.concurrency': 4 },
      sweep_mode: 'repeated',
      model: 'm',
    });
  });

  test('contains no numbers of values, whose means AIPerf rejects', () => {
    const { metrics } = createVariationAggregate(sweep, variation!, [outcome], settings)!;
    expect(Object.keys(metrics).filter(name => /_latency_count$/.test(name))).toEqual([]);
    expect(metrics).toHaveProperty('request_count_avg');
  });
});
