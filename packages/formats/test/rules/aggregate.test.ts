import { describe, expect, it } from 'vitest';
import { checkAggregate, checkServerStatistics, checkStatistic } from '../../src/rules/aggregate.ts';
import { collectFindings } from '../support/report.ts';

/** Statistics over four runs, with a critical value of 3.182. */
const STATISTIC = {
  ...{ mean: 10, std: 2, min: 8, max: 12, cv: 0.2, se: 1, t_critical: 3.182 },
  ...{ ci_low: 6.818, ci_high: 13.182 },
};

describe('checkStatistic', () => {
  it.each([
    ['consistent statistics', STATISTIC],
    ['rounded statistics', { ...STATISTIC, ci_low: 6.82, ci_high: 13.18 }],
    [
      'a number of runs that the block states itself',
      { ...STATISTIC, num_runs: 16, se: 0.5, ci_low: 8.409, ci_high: 11.591 },
    ],
    ['a coefficient of variation relative to the absolute mean', { mean: -10, std: 2, cv: 0.2 }],
    ['a block with only a mean', { mean: 10 }],
  ])('accepts %s', (_, block) => {
    expect(collectFindings(report => checkStatistic(report, [], block, 4))).toEqual([]);
  });

  it.each([
    [
      'a mean below min',
      { ...STATISTIC, mean: 7, cv: 2 / 7 },
      ['gauge-average .mean', 'aggregate-formula .ci_low', 'aggregate-formula .ci_high'],
    ],
    ['an interval without the mean', { mean: 10, ci_low: 11, ci_high: 12 }, ['aggregate-interval .mean']],
    ['an inconsistent coefficient of variation', { ...STATISTIC, cv: 0.3 }, ['aggregate-formula .cv']],
    [
      'a standard error for another number of runs',
      { ...STATISTIC, se: 2 },
      ['aggregate-formula .se', 'aggregate-formula .ci_low', 'aggregate-formula .ci_high'],
    ],
    [
      'a standard deviation that is too large for the range',
      { mean: 10, min: 9, max: 11, std: 5 },
      ['gauge-spread .std'],
    ],
  ])('reports %s', (_, block, expected) => {
    const findings = collectFindings(report => checkStatistic(report, [], block, 4));
    expect(findings.map(finding => finding.slice(0, finding.indexOf(':')))).toEqual(expected);
  });
});

it('checkServerStatistics checks every statistic of every series', () => {
  const server_metrics = { m: { series: [{ stats: { avg: STATISTIC, p99: { ...STATISTIC, cv: 1 } } }] } };
  expect(collectFindings(report => checkServerStatistics(report, { server_metrics }, ['x'], 4))).toEqual([
    'aggregate-formula .x.server_metrics.m.series[0].stats.p99.cv: is 1, but std / mean is 0.2',
  ]);
});

it('checkAggregate takes the number of runs from the metadata', () => {
  const document = { metadata: { num_successful_runs: 4 }, metrics: { latency_avg: STATISTIC } };
  expect(collectFindings(report => checkAggregate(report, document))).toEqual([]);
  const otherDocument = { ...document, metadata: { num_successful_runs: 9 } };
  expect(collectFindings(report => checkAggregate(report, otherDocument))).toEqual([
    'aggregate-formula .metrics.latency_avg.se: is 1, but std / √num_successful_runs is 0.6666666666666666',
  ]);
});
