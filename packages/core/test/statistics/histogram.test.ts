import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  HistogramWindow,
  PercentileEstimates,
  PercentileEstimator,
} from '../../src/percentile/estimator.ts';
import { estimateLinearPercentiles } from '../../src/percentile/linear.ts';
import { cutFixedSlices } from '../../src/period/timeslices.ts';
import {
  computeHistogramSlices,
  type HistogramStatistics,
  summarizeHistogram,
} from '../../src/statistics/histogram.ts';

/** A scrape: time, sum, cumulative buckets 1 and 5, and count; bucket +Inf equals the count. */
type Row = readonly [seconds: number, sum: number, le1: number, le5: number, count: number];

function createWindow(rows: readonly Row[]): HistogramWindow {
  const column = (at: 1 | 2 | 3 | 4): Float64Array => Float64Array.from(rows, row => row[at]);
  return {
    timesNs: Float64Array.from(rows, row => row[0] * 1e9),
    sums: column(1),
    counts: column(4),
    bounds: [
      { le: 1, text: '1.0' },
      { le: 5, text: '5' },
      { le: Infinity, text: '+Inf' },
    ],
    cumulative: [column(2), column(3), column(4)],
  };
}

const ESTIMATES: PercentileEstimates = {
  p1: 1,
  p5: 5,
  p10: 10,
  p25: 25,
  p50: 50,
  p75: 75,
  p90: 90,
  p95: 95,
  p99: 99,
};
const ESTIMATED = {
  p1_estimate: 1,
  p5_estimate: 5,
  p10_estimate: 10,
  p25_estimate: 25,
  p50_estimate: 50,
  p75_estimate: 75,
  p90_estimate: 90,
  p95_estimate: 95,
  p99_estimate: 99,
};

const returnEstimates: PercentileEstimator = () => ESTIMATES;
const returnNull: PercentileEstimator = () => null;

function createBuckets(le1: number, le5: number, total: number): [string, number][] {
  return [
    ['1.0', le1],
    ['5', le5],
    ['+Inf', total],
  ];
}

type Case = readonly [
  name: string,
  rows: readonly Row[],
  estimator: PercentileEstimator,
  stats: HistogramStatistics,
  buckets: [string, number][] | null,
];

const CASES: readonly Case[] = [
  [
    'with observations',
    [
      [0, 10, 4, 5, 5],
      [1, 12, 6, 7, 7],
      [4, 40, 8, 12, 15],
    ],
    returnEstimates,
    { count: 10, sum: 30, avg: 3, count_rate: 2.5, sum_rate: 7.5, ...ESTIMATED },
    createBuckets(4, 7, 10),
  ],
  [
    'without estimates',
    [
      [0, 0, 0, 0, 0],
      [2, 4, 1, 1, 2],
    ],
    returnNull,
    { count: 2, sum: 4, avg: 2, count_rate: 1, sum_rate: 2 },
    createBuckets(1, 1, 2),
  ],
  [
    'without observations',
    [
      [0, 10, 4, 5, 5],
      [1, 10, 4, 5, 5],
    ],
    returnEstimates,
    { count: 0 },
    createBuckets(0, 0, 0),
  ],
  ['with one sample', [[3, 10, 4, 5, 5]], returnEstimates, { count: 0 }, createBuckets(0, 0, 0)],
  [
    'with two samples at the same time',
    [
      [3, 10, 4, 5, 5],
      [3, 11, 5, 6, 6],
    ],
    returnNull,
    { count: 1, sum: 1, avg: 1 },
    createBuckets(1, 1, 1),
  ],
  [
    'with negative observations, whose sum falls',
    [
      [0, -10, 5, 5, 5],
      [1, -16, 8, 8, 8],
    ],
    returnNull,
    { count: 3, sum: -6, avg: -2, count_rate: 3, sum_rate: -6 },
    createBuckets(3, 3, 3),
  ],
  [
    'with fractional counts, which are truncated',
    [
      [0, 0, 0, 0, 0],
      [1, 5, 0.5, 1.75, 2.5],
    ],
    returnNull,
    { count: 2, sum: 5, avg: 2.5, count_rate: 2, sum_rate: 5 },
    createBuckets(0, 1, 2),
  ],
  [
    'with a reset, ending below the reference',
    [
      [0, 100, 40, 50, 50],
      [1, 110, 44, 55, 55],
      [2, 6, 1, 2, 3],
      [4, 8, 2, 3, 4],
    ],
    returnEstimates,
    {
      count: 0,
      sum: 0,
      count_rate: 0,
      sum_rate: 0,
      resets: 1,
      increase: { count: 9, sum: 18, avg: 2, buckets: createBuckets(6, 8, 9), ...ESTIMATED },
    },
    null,
  ],
  [
    'with a reset, ending above the reference',
    [
      [0, 10, 4, 5, 5],
      [1, 1, 1, 1, 1],
      [4, 30, 10, 13, 15],
    ],
    returnNull,
    {
      count: 10,
      sum: 20,
      avg: 2,
      count_rate: 2.5,
      sum_rate: 5,
      resets: 1,
      increase: { count: 15, sum: 30, avg: 2, buckets: createBuckets(10, 13, 15) },
    },
    null,
  ],
  [
    'with a reset that only one bucket shows',
    [
      [0, 10, 4, 5, 5],
      [1, 60, 1, 5, 9],
    ],
    returnNull,
    {
      count: 4,
      sum: 50,
      avg: 12.5,
      count_rate: 4,
      sum_rate: 50,
      resets: 1,
      increase: { count: 9, sum: 60, avg: 60 / 9, buckets: createBuckets(1, 5, 9) },
    },
    null,
  ],
  [
    'with a reset and no observations since',
    [
      [0, 10, 4, 5, 5],
      [1, 0, 0, 0, 0],
    ],
    returnEstimates,
    {
      count: 0,
      sum: 0,
      count_rate: 0,
      sum_rate: 0,
      resets: 1,
      increase: { count: 0, sum: 0, buckets: createBuckets(0, 0, 0) },
    },
    null,
  ],
];

describe('summarizeHistogram', () => {
  it.each(CASES)('summarizes a histogram %s', (_name, rows, estimator, stats, buckets) => {
    expect(summarizeHistogram(createWindow(rows), estimator)).toEqual({ stats, buckets });
  });

  it('returns neither buckets nor percentiles without bounds', () => {
    const { timesNs, sums, counts } = createWindow([
      [0, 0, 0, 0, 0],
      [1, 6, 0, 0, 3],
    ]);
    const window = { timesNs, sums, counts, bounds: [], cumulative: [] };
    expect(summarizeHistogram(window, estimateLinearPercentiles)).toEqual({
      stats: { count: 3, sum: 6, avg: 2, count_rate: 3, sum_rate: 6 },
      buckets: [],
    });
  });

  it('passes a window without resets to the estimator', () => {
    const windows: HistogramWindow[] = [];
    const recordWindow: PercentileEstimator = window => {
      windows.push(window);
      return null;
    };
    summarizeHistogram(
      createWindow([
        [0, 10, 4, 5, 5],
        [1, 1, 1, 1, 1],
        [4, 30, 10, 13, 15],
      ]),
      recordWindow,
    );
    expect(windows.map(({ counts }) => [...counts])).toEqual([[5, 6, 20]]);
  });

  it('counts a fall of the sum alone as negative observations, not as a reset', () => {
    const rows: Row[] = [
      [0, 9, 0, 0, 4],
      [1, 5, 0, 0, 6],
    ];
    expect(summarizeHistogram(createWindow(rows), returnNull).stats).toEqual({
      count: 2,
      sum: -4,
      avg: -2,
      count_rate: 2,
      sum_rate: -4,
    });
  });

  it('counts a histogram that was created in the run from 0', () => {
    const rows: Row[] = [
      [1, 3, 1, 1, 1],
      [2, 12, 1, 2, 4],
    ];
    const { stats, buckets } = summarizeHistogram(createWindow(rows), returnNull, { absentNs: 5e8 }, 2);
    expect(stats).toMatchObject({
      count: 3,
      sum: 9,
      created_in_run: true,
      increase: { count: 4, sum: 12, avg: 3, count_rate: 2, sum_rate: 6 },
    });
    expect(stats).not.toHaveProperty('resets');
    expect(buckets?.at(-1)?.[1]).toBe(3);
    expect(stats.increase?.buckets.at(-1)?.[1]).toBe(4);
  });

  it('has an increase after creation although there is only one sample', () => {
    const { stats } = summarizeHistogram(createWindow([[1, 3, 1, 1, 2]]), returnNull, { absentNs: 0 }, 4);
    expect(stats).toMatchObject({ count: 0, created_in_run: true, increase: { count: 2, count_rate: 0.5 } });
  });

  it('never returns negative values, and counts the observations of all intervals', () => {
    const row = fc.array(fc.nat({ max: 9 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 20 }), fc.nat({ max: 30 }), (rows, restart) => {
        const totals = [0, 0, 0];
        const window = createWindow(
          rows.map((counts, at): Row => {
            if (at === restart) totals.fill(0);
            counts.forEach((count, bucket) => {
              totals[bucket]! += count;
            });
            const [first, second, last] = totals as [number, number, number];
            return [at, first * 0.5 + second * 3 + last * 10, first, first + second, first + second + last];
          }),
        );
        const { stats, buckets } = summarizeHistogram(window, returnNull);
        const expected = [0, 1, 2].map(bucket =>
          rows.slice(1).reduce((sum, counts) => sum + counts.slice(0, bucket + 1).reduce((a, b) => a + b), 0),
        );
        const counted = stats.increase ?? { count: stats.count, buckets };
        // A restart is undetectable if all values have grown beyond their previous values.
        if (stats.resets !== undefined || restart >= rows.length || restart === 0) {
          expect(counted.buckets!.map(([, count]) => count)).toEqual(expected);
          expect(counted.count).toBe(expected[2]);
        }
        expect(stats.sum ?? 0).toBeGreaterThanOrEqual(0);
        expect(stats.increase?.sum ?? 0).toBeGreaterThanOrEqual(0);
        expect(stats.count).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('histogram timeslices', () => {
  const window = createWindow([
    [-1, 10, 4, 5, 5],
    [0.5, 14, 5, 7, 7],
    [2.5, 30, 6, 9, 11],
    [3.5, 2, 1, 1, 1],
    [4.5, 9, 2, 3, 4],
  ]);

  it('are differences of the last samples at their edges, without slices in which the count falls', () => {
    const { timeslices } = computeHistogramSlices(window, cutFixedSlices({ startNs: 0, endNs: 5.5e9 }, 1e9));
    expect(timeslices).toMatchObject([
      { startNs: 0, endNs: 1e9, count: 2, sum: 4, avg: 2, buckets: createBuckets(1, 2, 2) },
      { startNs: 1e9, endNs: 2e9, count: 0, sum: 0, avg: 0, buckets: createBuckets(0, 0, 0) },
      { startNs: 2e9, endNs: 3e9, count: 4, sum: 16, avg: 4, buckets: createBuckets(1, 2, 4) },
      { startNs: 4e9, endNs: 5e9, count: 3, sum: 7, avg: 7 / 3, buckets: createBuckets(1, 2, 3) },
      {
        startNs: 5e9,
        endNs: 5.5e9,
        is_complete: false,
        count: 0,
        sum: 0,
        avg: 0,
        buckets: createBuckets(0, 0, 0),
      },
    ]);
  });

  it('with a reset are marked and count across it, also if AIPerf omits them', () => {
    const { timeslices, resetTimeslices } = computeHistogramSlices(
      window,
      cutFixedSlices({ startNs: 0, endNs: 5.5e9 }, 1e9),
    );
    expect(timeslices.map(({ startNs, resets }) => [startNs / 1e9, resets])).toEqual([
      [0, undefined],
      [1, undefined],
      [2, 1],
      [4, undefined],
      [5, undefined],
    ]);
    expect(resetTimeslices).toEqual([
      {
        startNs: 3e9,
        endNs: 4e9,
        count: 0,
        sum: 0,
        avg: 0,
        buckets: null,
        resets: 1,
        increase: { count: 1, sum: 2, avg: 2, buckets: createBuckets(1, 1, 1) },
        count_rate: 2,
      },
    ]);
  });

  it('with a reset have no sum if the histogram has none', () => {
    const samples = { ...window, sums: window.sums.map(() => Number.NaN) };
    const { resetTimeslices } = computeHistogramSlices(
      samples,
      cutFixedSlices({ startNs: 0, endNs: 5.5e9 }, 1e9),
    );
    expect(resetTimeslices).toEqual([
      {
        startNs: 3e9,
        endNs: 4e9,
        count: 0,
        buckets: null,
        resets: 1,
        increase: { count: 1, buckets: createBuckets(1, 1, 1) },
        count_rate: 2,
      },
    ]);
  });

  it('have the same count_rate if observations are constant, and none after the last sample', () => {
    const rows = [-0.3, 0.4, 1.1, 1.8, 2.5, 3.2].map((time): Row => [time, 0, 0, 0, 100 * (time + 1)]);
    const slices = cutFixedSlices({ startNs: 0, endNs: 6e9 }, 1e9);
    const { timeslices } = computeHistogramSlices(createWindow(rows), slices);
    expect(timeslices.map(({ count_rate, is_gap }) => is_gap ?? Math.round(count_rate! * 1e6) / 1e6)).toEqual(
      [100, 100, 100, 100, true, true],
    );
  });

  it('have null buckets if a bucket fell but the count did not', () => {
    const rows: Row[] = [
      [0, 10, 4, 5, 5],
      [1, 60, 1, 5, 9],
    ];
    const { timeslices } = computeHistogramSlices(
      createWindow(rows),
      cutFixedSlices({ startNs: 0, endNs: 1e9 }, 1e9),
    );
    expect(timeslices).toMatchObject([
      { startNs: 0, endNs: 1e9, count: 4, sum: 50, avg: 12.5, buckets: null },
    ]);
  });

  it('can have a negative sum if a bound is negative', () => {
    const rows: Row[] = [
      [0, -10, 5, 5, 5],
      [1, -16, 8, 8, 8],
    ];
    const negative = {
      ...createWindow(rows),
      bounds: [-1, 5, Infinity].map(le => ({ le, text: String(le) })),
    };
    const slices = cutFixedSlices({ startNs: 0, endNs: 1e9 }, 1e9);
    expect(computeHistogramSlices(createWindow(rows), slices).timeslices).toEqual([]);
    expect(computeHistogramSlices(negative, slices).timeslices).toMatchObject([
      { count: 3, sum: -6, avg: -2 },
    ]);
  });
});
