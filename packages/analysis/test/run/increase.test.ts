import { describe, expect, it } from 'vitest';
import { readHistogramIncrease, toPeriodStats } from '../../src/run/increase.ts';
import type { Stats } from '../../src/run/series.ts';

type Exported = Record<string, unknown>;

const INCREASE = {
  count: 9,
  sum: 18,
  avg: 2,
  count_rate: 0.9,
  sum_rate: 1.8,
  p50_estimate: 2,
  buckets: { '+Inf': 9 },
};
const { buckets: _, ...HISTOGRAM_STATS } = INCREASE;

const CASES: readonly (readonly [name: string, exported: Exported, expected: Exported])[] = [
  ['a gauge', { avg: 1, max: 2 }, { avg: 1, max: 2 }],
  ['a counter', { total: 5, rate: 0.5 }, { total: 5, rate: 0.5 }],
  [
    'a counter that was neither reset nor created in the run',
    { total: 5, rate: 0.5, increase: 7 },
    { total: 5, rate: 0.5, increase: 7 },
  ],
  [
    'a counter that behaves like a gauge',
    { total: 5, rate: 0.5, rate_avg: 2, decreases: 9 },
    { decreases: 9 },
  ],
  [
    'a counter that was created in the run',
    { total: 2, rate: 7.5, created_in_run: true, increase: 3, increase_rate: 0.3 },
    { total: 3, rate: 0.3, created_in_run: true, increase: 3, increase_rate: 0.3 },
  ],
  [
    'a reset counter of an older version, without increase_rate',
    { total: 2, rate: 0.2, resets: 1, increase: 30 },
    { total: 30, rate: 3, resets: 1, increase: 30 },
  ],
  [
    'a reset counter without a total, whose rate is unknown',
    { total: 0, rate: 0, resets: 1, increase: 30 },
    { total: 30, resets: 1, increase: 30 },
  ],
  [
    'a reset histogram',
    { count: 0, sum: 0, count_rate: 0, sum_rate: 0, resets: 1, increase: INCREASE },
    { resets: 1, ...HISTOGRAM_STATS },
  ],
  [
    'a histogram that was created in the run',
    {
      count: 8,
      sum: 17,
      avg: 2.1,
      p50_estimate: 2.5,
      p99_estimate: 3,
      created_in_run: true,
      increase: INCREASE,
    },
    { created_in_run: true, ...HISTOGRAM_STATS },
  ],
];

describe('toPeriodStats', () => {
  it.each(CASES)('uses the increase of %s where there is one', (_name, exported, expected) => {
    expect(toPeriodStats(exported as Stats)).toEqual(expected);
  });
});

describe('readHistogramIncrease', () => {
  it('returns the increase of a histogram, and undefined for a counter', () => {
    expect(readHistogramIncrease({ increase: INCREASE })).toBe(INCREASE);
    expect(readHistogramIncrease({ increase: 3 })).toBeUndefined();
  });
});
