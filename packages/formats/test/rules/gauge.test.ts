import { describe, expect, it } from 'vitest';
import { checkDistribution, checkMean, checkSpread } from '../../src/rules/gauge.ts';
import { collectFindings } from '../support/report.ts';

const VALID = { avg: 2, min: 1, max: 3, std: 1, p1: 1, p50: 2, p99: 3 };

describe('checkDistribution', () => {
  it.each([
    ['a valid distribution', VALID],
    ['a constant gauge', { avg: 5, min: 5, max: 5, std: 0 }],
    ['a distribution without percentiles', { avg: 2, min: 1, max: 3, std: 1 }],
    ['an empty object', {}],
    ['values that are not numbers, which the schema reports', { min: '9', max: 1 }],
  ])('accepts %s', (_, stats) => {
    expect(collectFindings(report => checkDistribution(report, ['stats'], stats))).toEqual([]);
  });

  it.each([
    [
      'a percentile below min',
      { ...VALID, p1: 0.5 },
      ['gauge-order .stats.p1: is 0.5, less than min (1); min, p1 … p99 and max must not decrease'],
    ],
    [
      'percentiles that decrease',
      { ...VALID, p50: 2.5, p99: 2 },
      ['gauge-order .stats.p99: is 2, less than p50 (2.5); min, p1 … p99 and max must not decrease'],
    ],
    [
      'a mean above max',
      { ...VALID, avg: 4 },
      ['gauge-average .stats.avg: is 4, not between min (1) and max (3)'],
    ],
  ])('reports %s', (_, stats, expected) => {
    expect(collectFindings(report => checkDistribution(report, ['stats'], stats))).toEqual(expected);
  });
});

it('checkMean accepts a mean that is outside the range by no more than its rounding error', () => {
  const check = (avg: number) =>
    collectFindings(report => checkMean(report, [], { avg, min: 1.234, max: 1.234 }));
  expect(check(1.23)).toEqual([]);
  expect(check(1.22)).toHaveLength(1);
});

it.each([
  ['a standard deviation of 0 for a constant', { min: 5, max: 5, std: 0 }, []],
  [
    'a positive standard deviation for a constant',
    { min: 5, max: 5, std: 1 },
    ['gauge-spread .std: is 1, but min and max are both 5; expected 0'],
  ],
  [
    'the largest possible standard deviation, which two samples have',
    { min: 0, max: 2, std: Math.SQRT2 },
    [],
  ],
  [
    'a standard deviation that is too large for the range',
    { min: 0, max: 2, std: 1.5 },
    ['gauge-spread .std: is 1.5, too large for samples between 0 and 2'],
  ],
])('checkSpread checks %s', (_, stats, expected) => {
  expect(collectFindings(report => checkSpread(report, [], stats))).toEqual(expected);
});
