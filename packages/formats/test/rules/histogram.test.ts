import { describe, expect, it } from 'vitest';
import {
  checkAverage,
  checkEstimates,
  checkHistogram,
  checkPercentileOrder,
} from '../../src/rules/histogram.ts';
import { collectFindings } from '../support/report.ts';

const STATS = {
  count: 4,
  sum: 2,
  avg: 0.5,
  count_rate: 2,
  sum_rate: 1,
  p50_estimate: 0.4,
  p99_estimate: 0.9,
};
const BUCKETS = { '0.5': 2, '1': 4, '+Inf': 4 };

function check(stats: object, rest: object = { buckets: BUCKETS }): string[] {
  return collectFindings(report => checkHistogram(report, [], { stats, ...rest }, undefined));
}

describe('checkHistogram', () => {
  it.each([
    ['a consistent series', STATS, { buckets: BUCKETS }],
    ['a series without observations', { count: 0 }, {}],
    ['a reset series without buckets', { ...STATS, resets: 1 }, {}],
    [
      'percentile bounds that contain their estimate',
      STATS,
      { buckets: BUCKETS, percentile_bounds: { p50: [0, 0.5], p99: [0.5, null] } },
    ],
  ])('accepts %s', (_, stats, rest) => {
    expect(check(stats, rest)).toEqual([]);
  });

  it.each([
    [
      'an inconsistent mean',
      { ...STATS, avg: 0.6 },
      undefined,
      ['histogram-average .stats.avg', 'histogram-rates .stats.sum_rate'],
    ],
    [
      'an inconsistent rate of the sum',
      { ...STATS, sum_rate: 9 },
      undefined,
      ['histogram-rates .stats.sum_rate'],
    ],
    [
      'statistics without observations',
      { count: 0, p50_estimate: 1 },
      {},
      ['histogram-empty .stats.p50_estimate'],
    ],
    ['missing buckets', STATS, {}, ['buckets-missing .buckets']],
    ['missing estimates', { count: 4, sum: 2, avg: 0.5 }, undefined, ['percentiles-missing .stats']],
    [
      'an estimate above all observations',
      { ...STATS, p99_estimate: 3 },
      undefined,
      ['percentiles-range .stats.p99_estimate'],
    ],
    [
      'percentile bounds in the wrong order',
      STATS,
      { buckets: BUCKETS, percentile_bounds: { p50: [0.5, 0] } },
      ['percentile-bounds .percentile_bounds.p50'],
    ],
    [
      'an estimate outside its percentile bounds',
      STATS,
      { buckets: BUCKETS, percentile_bounds: { p50: [0.45, 0.5] } },
      ['percentile-outside .percentile_bounds.p50'],
    ],
    [
      'an increase below the net count',
      { ...STATS, resets: 1, increase: { count: 3, sum: 3, avg: 1 } },
      undefined,
      ['reset-increase .stats.increase.count'],
    ],
    [
      'an increase without a reset or a creation',
      { ...STATS, increase: { count: 4, sum: 4, avg: 1 } },
      { buckets: BUCKETS },
      ['reset-increase .stats.increase.count'],
    ],
    [
      'an estimate of the increase outside the percentile bounds',
      { ...STATS, created_in_run: true, increase: { count: 5, sum: 5, avg: 1, p50_estimate: 3 } },
      { buckets: BUCKETS, percentile_bounds: { p50: [0, 1] } },
      ['percentile-outside .percentile_bounds.p50'],
    ],
  ])('reports %s', (_, stats, rest, expected) => {
    expect(check(stats, rest).map(finding => finding.slice(0, finding.indexOf(':')))).toEqual(expected);
  });
});

it('checkAverage compares the mean with sum / count, allowing for rounding', () => {
  const checkStats = (stats: Readonly<Record<string, number>>) =>
    collectFindings(report => checkAverage(report, [], stats, 'avg', 'delta', 'observation_count'));
  expect(checkStats({ avg: 0.044, delta: 2.21, observation_count: 50 })).toEqual([]);
  expect(checkStats({ avg: 0.06, delta: 2.5, observation_count: 50 })).toEqual([
    'histogram-average .avg: is 0.06, but delta / observation_count is 2.5 / 50 = 0.05',
  ]);
  expect(checkStats({ avg: 1, delta: 2, observation_count: 0 })).toEqual([]);
});

it('checkEstimates reports only the first estimate outside the observed range', () => {
  const rows = [
    { le: '1', bound: 1, count: 0 },
    { le: '2', bound: 2, count: 5 },
    { le: '+Inf', bound: Number.POSITIVE_INFINITY, count: 5 },
  ];
  const checkStats = (stats: object) =>
    collectFindings(report => checkEstimates(report, [], stats as never, ['p50', 'p99'], rows));
  expect(checkStats({ p50: 1.5, p99: 2 })).toEqual([]);
  expect(checkStats({ p50: 3, p99: 4 })).toEqual([
    'percentiles-range .p50: is 3, but according to the buckets all observations are between 1 and 2',
  ]);
});

it('checkPercentileOrder reports both percentiles of a decrease', () => {
  const percentiles = [
    ['p50', 2],
    ['p90', 1.5],
    ['p99', 3],
  ] as const;
  expect(collectFindings(report => checkPercentileOrder(report, ['x'], percentiles))).toEqual([
    'percentiles-order .x.p90: is 1.5, less than p50 (2); percentiles must not decrease',
  ]);
});
