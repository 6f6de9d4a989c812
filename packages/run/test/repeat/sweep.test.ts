import { validate } from '@org/formats';
import { writeProfileSweepCsv, writeProfileSweepJson } from '@org/formats/write';
import { expect, test } from 'vitest';
import { createServerMetrics } from '../../../record/test/support/profileExports.ts';
import { createSweep } from '../../src/repeat/sweep.ts';
import { createPlan, createReport, createSuccess, SETTINGS } from './fakes.ts';

const RATES = [8, 15, 14];
const LATENCIES = [100, 120, 300];

test('contains all variations, and the Pareto-optimal ones', async () => {
  const plan = createPlan({ concurrency: [1, 2, 4] });
  const outcomes = plan.runs.map((run, index) =>
    createSuccess(
      run,
      createReport([LATENCIES[index]!], RATES[index]!, { servers: createServerMetrics(index, 40) }),
    ),
  );
  const document = createSweep(plan, outcomes, SETTINGS);
  expect(document.metadata).toMatchObject({
    sweep_id: plan.sweepId,
    sweep_parameters: [{ name: 'concurrency', values: [1, 2, 4] }],
    num_combinations: 3,
    num_trials_per_value: 1,
    sweep_mode: 'repeated',
  });
  expect(document.per_combination_metrics.map(({ parameters }) => parameters)).toEqual([
    { concurrency: 1 },
    { concurrency: 2 },
    { concurrency: 4 },
  ]);
  const value = { mean: 15, avg: 15, std: 0, min: 15, max: 15, cv: 0, ci_low: 15, ci_high: 15 };
  expect(document.per_combination_metrics[1]!.metrics.request_throughput).toEqual({
    ...value,
    unit: 'requests/sec',
  });
  expect(document.per_combination_metrics[1]!.metrics.request_latency).toMatchObject({
    ...{ avg: 120, p99: 120, count: 1, sum: 120, unit: 'ms' },
  });
  expect(document.per_combination_metrics[2]!.server_metrics!.running!.series[0]!.stats.avg!.mean).toBe(2);
  expect(document.pareto_optimal).toEqual([{ concurrency: 1 }, { concurrency: 2 }]);
  expect(document.best_configurations).toMatchObject({
    best_throughput: { parameters: { concurrency: 2 }, metric: 15 },
    best_latency_p99: { parameters: { concurrency: 1 }, metric: 100, metric_name: 'request_latency_p99' },
  });
  const { issues } = await validate(writeProfileSweepJson(document), { strict: true });
  expect(issues).toEqual([]);
  const csv = writeProfileSweepCsv(document);
  expect((await validate(csv)).issues).toEqual([]);
  expect(csv.split('\n', 2)[0]).toMatch(/^concurrency,request_latency_avg_mean,/);
  expect(
    csv
      .split('\n\n')
      .slice(1)
      .map(table => table.split('\n', 2)),
  ).toEqual([
    ['Best Configurations', 'Configuration,concurrency,Metric,Unit'],
    ['Pareto Optimal Points', 'concurrency'],
    ['Metadata', 'Field,Value'],
    [expect.stringMatching(/^variation,server_metric,type,endpoint,labels,stat,mean,/), expect.any(String)],
  ]);
});

test('contains intervals of repeated variations, except for a variation with one successful run', async () => {
  const plan = createPlan({ concurrency: [1, 2], runs: 2 });
  const outcomes = plan.runs.map((run, index) =>
    index === 3 ? { run, error: 'no' } : createSuccess(run, createReport([100 + index], 8 + index)),
  );
  const document = createSweep(plan, outcomes, { ...SETTINGS, wasCancelled: true });
  const [first, second] = document.per_combination_metrics;
  expect(first!.metrics.request_throughput_avg).toMatchObject({ mean: 9, min: 8, max: 10 });
  expect(second!.metrics.request_throughput_avg).toEqual({ mean: 9, unit: 'requests/sec' });
  expect(document).toMatchObject({
    num_profile_runs: 4,
    num_successful_runs: 3,
    failed_runs: [{ label: 'concurrency_2/run_0002', error: 'no' }],
    metadata: { was_cancelled: true },
  });
  expect((await validate(writeProfileSweepJson(document), { strict: true })).issues).toEqual([]);
});

test('contains only variations that were started, even if all runs failed', async () => {
  const plan = createPlan({ concurrency: [1, 2, 4] });
  const document = createSweep(plan, [{ run: plan.runs[0]!, error: 'no' }], SETTINGS);
  expect(document.per_combination_metrics).toHaveLength(1);
  expect(document).toMatchObject({ num_successful_runs: 0, best_configurations: {}, pareto_optimal: [] });
  expect((await validate(writeProfileSweepJson(document), { strict: true })).issues).toEqual([]);
});

/** The variations of a sweep over two parameters. */
const GRID = [1, 2, 4].flatMap((concurrency, row) =>
  [5, 10].map((rate, column) => ({
    index: 2 * row + column,
    label: `${concurrency} ${rate}`,
    parameters: { concurrency, rate },
    values: { c: concurrency, r: rate },
  })),
);

test('lists only the values that were run, and the combinations of these values', async () => {
  const plan = {
    ...createPlan({ concurrency: [1, 2, 4] }),
    parameters: [
      { name: 'concurrency', path: 'c', values: [1, 2, 4] },
      { name: 'rate', path: 'r', values: [5, 10] },
    ],
    variations: GRID,
  };
  const runs = GRID.map(variation => ({ ...plan.runs[0]!, variation }));
  const outcomes = runs.slice(0, 3).map(run => createSuccess(run, createReport([100], 8)));
  const document = createSweep(plan, outcomes, { ...SETTINGS, wasCancelled: true });
  expect(document.metadata).toMatchObject({
    sweep_parameters: [
      { name: 'concurrency', values: [1, 2] },
      { name: 'rate', values: [5, 10] },
    ],
    num_combinations: 4,
  });
  expect(document.per_combination_metrics).toHaveLength(3);
  expect((await validate(writeProfileSweepJson(document), { strict: true })).issues).toEqual([]);
});

test('has the fields of AIPerf only, if they are requested', async () => {
  const plan = createPlan({ concurrency: [1, 2], runs: 2 });
  const outcomes = plan.runs.map((run, index) =>
    index === 3
      ? { run, error: 'no' }
      : createSuccess(run, createReport([100 + index], 8, { servers: createServerMetrics(1, 2) })),
  );
  const document = createSweep(plan, outcomes, { ...SETTINGS, compatibility: 'aiperf-0.13' });
  expect(Object.keys(document)).toEqual([
    'aggregation_type',
    'num_profile_runs',
    'num_successful_runs',
    'failed_runs',
    'metadata',
    'per_combination_metrics',
    'best_configurations',
    'pareto_optimal',
  ]);
  expect(document.failed_runs).toEqual([{ label: 'run_0002', error: 'no' }]);
  expect(document.metadata).toEqual({
    sweep_parameters: [{ name: 'concurrency', values: [1, 2] }],
    num_combinations: 2,
    sweep_mode: 'repeated',
    confidence_level: 0.95,
    num_trials_per_value: 2,
    aggregation_type: 'sweep',
  });
  const fields = ['mean', 'std', 'min', 'max', 'cv', 'ci_low', 'ci_high', 'unit'];
  for (const { metrics, ...variation } of document.per_combination_metrics) {
    expect(Object.keys(variation)).toEqual(['parameters']);
    expect(Object.keys(metrics.request_latency_p99!)).toEqual(fields);
  }
  const csv = writeProfileSweepCsv(document, { layout: 'aiperf' });
  expect(csv.split('\r\n', 1)[0]).toMatch(
    /^concurrency,request_count_avg_mean,request_count_avg_std,request_count_avg_min,request_count_avg_max,request_count_avg_cv,request_latency_avg_mean,/,
  );
});

test('a sweep for AIPerf has no best configurations if each variation has one run', () => {
  const plan = createPlan({ concurrency: [1, 2] });
  const outcomes = plan.runs.map((run, index) => createSuccess(run, createReport([100 + index], 8)));
  const document = createSweep(plan, outcomes, { ...SETTINGS, compatibility: 'aiperf-0.13' });
  expect(document.best_configurations).toEqual({});
  expect(document.pareto_optimal).toEqual([]);
  const text = writeProfileSweepJson(document, { layout: 'aiperf' });
  expect(JSON.parse(text).metadata).toEqual(document.metadata);
});
