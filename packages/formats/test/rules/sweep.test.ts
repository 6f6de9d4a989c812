import { expect, it } from 'vitest';
import { checkSweep } from '../../src/rules/sweep.ts';
import { collectFindings } from '../support/report.ts';

const createVariation = (concurrency: unknown, num_successful_runs = 1, metrics: object = {}) => ({
  parameters: { concurrency },
  num_successful_runs,
  metrics,
});
const VALID = {
  schema_version: '1.0',
  num_profile_runs: 3,
  num_successful_runs: 3,
  failed_runs: [],
  metadata: { sweep_parameters: [{ name: 'concurrency', values: [1, 4] }], num_combinations: 2 },
  pareto_optimal: [{ concurrency: 4 }],
  per_combination_metrics: [createVariation(1), createVariation(4, 2, { m: { mean: 1, min: 1, max: 1 } })],
};

it.each([
  ['accepts a consistent sweep', {}, []],
  [
    'accepts bigint parameters',
    { per_combination_metrics: [createVariation(4n), createVariation(1, 2)] },
    [],
  ],
  [
    'reports a wrong number of variations',
    { metadata: { ...VALID.metadata, num_combinations: 3 } },
    [
      'sweep-combinations .metadata.num_combinations: is 3, but the values of sweep_parameters have 2 combinations',
    ],
  ],
  [
    'accepts an interrupted sweep, whose grid is larger than its number of variations',
    {
      metadata: { sweep_parameters: [{ values: [1, 4] }, { values: [100, 200] }], num_combinations: 4 },
    },
    [],
  ],
  [
    'accepts the number of variations in an interrupted sweep of an earlier version',
    { metadata: { sweep_parameters: [{ values: [1, 4, 8] }], num_combinations: 2 } },
    [],
  ],
  [
    'reports the number of variations in a sweep of AIPerf, whose grid is larger',
    {
      schema_version: undefined,
      metadata: { sweep_parameters: [{ values: [1, 4, 8] }], num_combinations: 2 },
    },
    [
      'sweep-combinations .metadata.num_combinations: is 2, but the values of sweep_parameters have 3 combinations',
    ],
  ],

  [
    'accepts a sweep of AIPerf, which leaves out variations without a successful run',
    {
      schema_version: undefined,
      metadata: { sweep_parameters: [{ name: 'concurrency', values: [1, 2, 4] }], num_combinations: 3 },
    },
    [],
  ],
  [
    'reports more combinations than the grid of a sweep of AIPerf has',
    {
      schema_version: undefined,
      metadata: { sweep_parameters: [{ name: 'concurrency', values: [1, 4] }], num_combinations: 3 },
    },
    [
      'sweep-combinations .metadata.num_combinations: is 3, but the values of sweep_parameters have 2 combinations',
    ],
  ],
  [
    'reports fewer combinations than a sweep of AIPerf has variations',
    {
      schema_version: undefined,
      metadata: { sweep_parameters: [{ name: 'concurrency', values: [1, 4] }], num_combinations: 1 },
    },
    ['sweep-combinations .metadata.num_combinations: is 1, but per_combination_metrics has 2 entries'],
  ],
  [
    'accepts equal labels of failed runs of AIPerf, which do not name the variation',
    {
      aggregation_type: 'sweep',
      num_profile_runs: 5,
      failed_runs: [{ label: 'run_0001' }, { label: 'run_0001' }],
    },
    [],
  ],
  [
    'finds the value of the best variation in the statistics of a single run',
    {
      best_configurations: {
        best_latency_p99: { parameters: { concurrency: 4 }, metric: 9, unit: 'ms', metric_name: 'm_p99' },
      },
      per_combination_metrics: [
        createVariation(1),
        createVariation(4, 2, { m: { mean: 5, avg: 5, p99: 9, min: 1, max: 9, unit: 'ms' } }),
      ],
    },
    [],
  ],
  [
    'reports a total that differs from the runs of the variations',
    { per_combination_metrics: [createVariation(1), createVariation(4)] },
    ['runs-count .num_successful_runs: is 3, but the variations have 2 successful runs'],
  ],
  [
    'reports parameters that occur twice',
    { per_combination_metrics: [createVariation(4), createVariation(4, 2)] },
    [
      'sweep-combinations .per_combination_metrics[1].parameters: is {"concurrency":4}, which is already listed; each combination must occur once',
    ],
  ],
  [
    'reports unknown Pareto-optimal parameters',
    { pareto_optimal: [{ concurrency: 8 }] },
    ['sweep-combinations .pareto_optimal[0]: is {"concurrency":8}, but no variation has these parameters'],
  ],
  [
    'accepts the unknown mean of a metric of AIPerf in which failed requests are infinitely slow',
    {
      per_combination_metrics: [
        createVariation(1, 1, {
          adj_request_latency: { mean: 0, avg: 0, min: 107, max: 0, ci_low: 0, ci_high: 0, p10: 147 },
        }),
        createVariation(4, 2),
      ],
    },
    [],
  ],
  [
    'reports inconsistent statistics of a variation',
    {
      per_combination_metrics: [
        createVariation(1, 1, { m: { mean: 9, min: 1, max: 2 } }),
        createVariation(4, 2),
      ],
    },
    ['gauge-average .per_combination_metrics[0].metrics.m.mean: is 9, not between min (1) and max (2)'],
  ],
])('%s', (_, change, expected) => {
  expect(collectFindings(report => checkSweep(report, { ...VALID, ...change }))).toEqual(expected);
});
