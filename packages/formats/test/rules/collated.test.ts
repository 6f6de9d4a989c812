import { expect, it } from 'vitest';
import { checkCollated } from '../../src/rules/collated.ts';
import { collectFindings } from '../support/report.ts';

const RUNS = [
  { label: 'run_0001', mean: 10, count: 3 },
  { label: 'run_0002', mean: 20, count: 1 },
];
const COMBINED = { mean: 12.5, count: 4, p50: 10, p90: 20, p95: 20, p99: 20 };

it.each([
  ['accepts a weighted mean', COMBINED, RUNS, []],
  ['accepts a rounded mean', { ...COMBINED, mean: 12.6 }, RUNS, []],
  ['accepts runs without requests', { count: 0 }, [], []],
  [
    'reports percentiles that decrease',
    { ...COMBINED, p99: 15 },
    RUNS,
    ['percentiles-order .metrics.m.combined.p99: is 15, less than p95 (20); percentiles must not decrease'],
  ],
  [
    'reports counts that do not add up',
    { ...COMBINED, count: 5 },
    RUNS,
    ['collated-count .metrics.m.combined.count: is 5, but the counts in per_run add up to 4'],
  ],
  [
    'reports a mean that is not weighted',
    { ...COMBINED, mean: 15 },
    RUNS,
    [
      'collated-mean .metrics.m.combined.mean: is 15, but the mean of the runs, weighted by their counts, is 12.5',
    ],
  ],
  [
    'reports a run that is listed twice',
    COMBINED,
    [RUNS[0]!, { ...RUNS[1]!, label: 'run_0001' }],
    [
      'runs-repeated .metrics.m.per_run[1].label: is run_0001, which is already listed; each run must occur once',
    ],
  ],
])('%s', (_, combined, per_run, expected) => {
  const document = { metrics: { m: { combined, per_run } } };
  expect(collectFindings(report => checkCollated(report, document))).toEqual(expected);
});
