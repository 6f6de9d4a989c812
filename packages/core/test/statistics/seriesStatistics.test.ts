import { describe, expect, it } from 'vitest';
import type { Series } from '../../src/layout/layout.ts';
import { estimateLinearPercentiles } from '../../src/percentile/linear.ts';
import type { SeriesHistory } from '../../src/period/seriesHistory.ts';
import type { Period } from '../../src/period/window.ts';
import type { SeriesStatistics } from '../../src/statistics/seriesResult.ts';
import { computeSeriesStatistics, type StatisticsOptions } from '../../src/statistics/seriesStatistics.ts';
import type { EndpointStore } from '../../src/store/endpointStore.ts';
import {
  appendFrame,
  createHistogramStore,
  createPeriod,
  createScalarStore,
  createSummaryStore,
  type Scrape,
  SECOND,
} from '../support/stores.ts';

function computeStatistics(
  { store, series }: { store: EndpointStore; series: Series },
  period: Period,
  sliceSeconds?: number,
  minPartialSeconds?: number,
  history: SeriesHistory = {},
): SeriesStatistics | null {
  const options: StatisticsOptions = {
    period,
    history,
    estimator: estimateLinearPercentiles,
    ...(sliceSeconds === undefined ? {} : { sliceNs: sliceSeconds * SECOND }),
    ...(minPartialSeconds === undefined ? {} : { minPartialNs: minPartialSeconds * SECOND }),
  };
  return computeSeriesStatistics(store, series, options);
}

/** Ten scrapes, one per second, of a series with the value 10 * time^2. */
const SQUARES: readonly Scrape[] = Array.from({ length: 10 }, (_, at) => [at, at * at * 10]);

describe('computeSeriesStatistics', () => {
  it.each(['gauge', 'unknown'] as const)(
    'computes gauge statistics for a %s, without the reference sample',
    type => {
      const result = computeStatistics(createScalarStore(type, SQUARES), createPeriod(6.5, 9));
      expect(result).toMatchObject({
        type,
        stats: { min: 490, max: 810, p50: 640 },
        window: { referenceNs: 6 * SECOND, firstNs: 7 * SECOND, lastNs: 9 * SECOND, samples: 3 },
      });
      expect(result).not.toHaveProperty('timeslices');
    },
  );

  it('divides the increase of an endpoint that stopped responding by the time until its last scrape', () => {
    const scrapes: readonly Scrape[] = [
      [0, 10],
      [1, 20],
      [2, 4],
      [4, 8],
    ];
    expect(computeStatistics(createScalarStore('counter', scrapes), createPeriod(1, 9))).toMatchObject({
      stats: { resets: 1, increase: 18, increase_rate: 6 },
    });
  });

  it('computes counter statistics', () => {
    expect(computeStatistics(createScalarStore('counter', SQUARES), createPeriod(6.5, 9))).toEqual({
      type: 'counter',
      stats: { total: 450, rate: 150 },
      window: { referenceNs: 6 * SECOND, firstNs: 7 * SECOND, lastNs: 9 * SECOND, samples: 3 },
    });
  });

  it('computes histogram statistics with the given estimator', () => {
    const created = createHistogramStore(
      [1, 2],
      [
        [0, 0, 0, 0, 0],
        [1, 30, 10, 20, 20],
      ],
    );
    expect(computeStatistics(created, createPeriod(0.5, 2))).toMatchObject({
      type: 'histogram',
      stats: { count: 20, sum: 30, avg: 1.5, count_rate: 20, p50_estimate: 1 },
      buckets: [
        ['1', 10],
        ['2', 20],
        ['+Inf', 20],
      ],
    });
  });

  it('returns percentile bounds and warnings', () => {
    const created = createHistogramStore(
      [1, 2],
      [
        [0, 0, 0, 0, 0],
        [1, 60, 10, 20, 30],
      ],
    );
    const result = computeStatistics(created, createPeriod(0.5, 2));
    // Ten of thirty observations are in each bucket; p99 is in +Inf and bounded by the sum only.
    expect(result).toMatchObject({
      percentileBounds: { p1: [0, 1], p50: [1, 2], p99: [expect.any(Number), expect.any(Number)] },
      percentileWarnings: { p1: 'wide_bounds' },
    });
  });

  it('returns no bounds without observations', () => {
    const created = createHistogramStore(
      [1],
      [
        [0, 5, 5, 5],
        [1, 5, 5, 5],
      ],
    );
    const result = computeStatistics(created, createPeriod(0.5, 2));
    expect(result).toMatchObject({ stats: { count: 0 } });
    expect(result).not.toHaveProperty('percentileBounds');
  });

  it('computes summary statistics', () => {
    const created = createSummaryStore(
      [0.5],
      [
        [0, 1, 1, 0.3],
        [1, 3, 2, 0.4],
      ],
    );
    expect(computeStatistics(created, createPeriod(0.5, 2))).toMatchObject({
      type: 'summary',
      stats: { count: 1, sum: 2 },
      quantiles: [['0.5', 0.4]],
    });
  });

  it.each([
    ['gauge', createScalarStore('gauge', SQUARES)],
    ['counter', createScalarStore('counter', SQUARES)],
    ['histogram', createHistogramStore([1], [[0, 1, 1, 1]])],
    ['summary', createSummaryStore([0.5], [[0, 1, 1, 1]])],
  ])('returns null if a %s has no sample in the period', (_type, created) => {
    expect(computeStatistics(created, createPeriod(20, 30), 1)).toBeNull();
  });

  it('ignores samples after the period', () => {
    const created = createScalarStore('counter', SQUARES);
    expect(computeStatistics(created, createPeriod(1, 5))).toMatchObject({ stats: { total: 250 } });
  });
});

describe('timeslices', () => {
  it('add rate_* of a counter, over complete slices', () => {
    const result = computeStatistics(createScalarStore('counter', SQUARES), createPeriod(1, 6.5), 2);
    expect(result).toMatchObject({
      stats: { total: 360, rate: 60, rate_avg: 60, rate_min: 40, rate_max: 80 },
      timeslices: [
        { startNs: 1 * SECOND, endNs: 3 * SECOND, total: 80, rate: 40 },
        { startNs: 3 * SECOND, endNs: 5 * SECOND, total: 160, rate: 80 },
        { startNs: 5 * SECOND, endNs: 6.5 * SECOND, is_complete: false, total: 110 },
      ],
    });
  });

  it('add rates of 0 for a counter without activity', () => {
    const constant = SQUARES.map(([time]): Scrape => [time, 7]);
    expect(computeStatistics(createScalarStore('counter', constant), createPeriod(1, 9), 2)).toMatchObject({
      stats: { total: 0, rate: 0, rate_avg: 0, rate_min: 0, rate_max: 0, rate_std: 0 },
    });
  });

  it('longer than the period produce one partial slice and no rate_*', () => {
    const result = computeStatistics(createScalarStore('counter', SQUARES), createPeriod(1, 4), 60);
    expect(result!.stats).toEqual({ total: 160, rate: 40 });
    expect(result).toMatchObject({ timeslices: [{ is_complete: false, total: 150 }] });
  });

  it('become sample intervals if they would be shorter than the update interval', () => {
    const result = computeStatistics(createScalarStore('counter', SQUARES), createPeriod(0.25, 3), 0.5);
    expect(result).toMatchObject({
      stats: { rate_min: 10 / 0.75, rate_max: 50 },
      timeslices: [
        { startNs: 0.25 * SECOND, endNs: SECOND, total: 10 },
        { startNs: SECOND, endNs: 2 * SECOND, total: 30 },
        { startNs: 2 * SECOND, endNs: 3 * SECOND, total: 50 },
      ],
    });
    expect(JSON.stringify(result)).not.toContain('is_complete');
  });

  /**
   * Series without timeslices although a slice duration is set. Other frames of the endpoint set the update
   * interval.
   */
  const SERIES_WITHOUT_SLICES: readonly (readonly [string, { store: EndpointStore; series: Series }])[] = [
    [
      'a gauge with one sample',
      createScalarStore('gauge', [
        [0, null],
        [1, null],
        [2, 5],
        [3, null],
      ]),
    ],
    [
      'a counter with one sample and no reference',
      createScalarStore('counter', [
        [0, null],
        [1, null],
        [2, 5],
        [3, null],
      ]),
    ],
    [
      'a histogram without observations',
      createHistogramStore(
        [1],
        [
          [0, 1, 1, 1],
          [1, 1, 1, 1],
          [2, 1, 1, 1],
        ],
      ),
    ],
  ];

  it.each(SERIES_WITHOUT_SLICES)('are absent for %s', (_name, created) => {
    const result = computeStatistics(created, createPeriod(0.5, 4), 1);
    expect(result).not.toBeNull();
    expect(result).not.toHaveProperty('timeslices');
  });

  const CREATED_SERIES: readonly (readonly [string, { store: EndpointStore; series: Series }])[] = [
    [
      'counter',
      createScalarStore(
        'counter',
        [0, 1, 2, 3, 4, 5, 6].map(time => [time, time < 4 ? null : time]),
      ),
    ],
    [
      'histogram',
      createHistogramStore(
        [1],
        [0, 1, 2, 3, 4, 5, 6].map(time => (time < 4 ? [time, null] : [time, time, time, time])),
      ),
    ],
  ];

  it.each(CREATED_SERIES)('have a rate of 0 before the creation of a %s, not a gap', (_name, created) => {
    const history = { absentNs: 3 * SECOND };
    const result = computeStatistics(created, createPeriod(0.5, 6), 1, 0.9, history);
    const key = created.series.kind === 'histogram' ? 'count' : 'total';
    expect(result).toMatchObject({ timeslices: [0, 0, 0, 4, 2].map(value => ({ [key]: value })) });
    expect(JSON.stringify(result)).not.toContain('is_gap');
  });

  it('are present for a histogram with a reset, except the slice of the reset', () => {
    const created = createHistogramStore(
      [1],
      [
        [0, 10, 10, 10],
        [1, 20, 20, 20],
        [2, 5, 5, 5],
        [3, 6, 6, 6],
      ],
    );
    expect(computeStatistics(created, createPeriod(0, 3), 1)).toMatchObject({
      stats: { count: 0, resets: 1, increase: { count: 16 } },
      timeslices: [{ count: 10 }, { startNs: 2 * SECOND, count: 1 }],
    });
  });
});

describe('a closing scrape a few ms after the last complete timeslice', () => {
  const TIMES = [0, 1, 2, 3, 4, 4.9, 5.9, 6.0024];
  const VALUES = [0, 10, 20, 30, 40, 50, 60, 75];
  const scrapes = TIMES.map((time, at): Scrape => [time, VALUES[at]!]);
  const histogram = createHistogramStore(
    [1],
    TIMES.map((time, at) => [time, VALUES[at]! * 2, VALUES[at]! / 5, VALUES[at]!]),
  );
  const period = createPeriod(0, 6.0024);
  const computeSlices = (created: { store: EndpointStore; series: Series }, minPartialSeconds?: number) => {
    const result = computeStatistics(created, period, 2, minPartialSeconds)!;
    return { ...result, timeslices: 'timeslices' in result ? (result.timeslices ?? []) : [] };
  };

  it('belongs to the last complete slice of a counter', () => {
    const { stats, timeslices } = computeSlices(createScalarStore('counter', scrapes), 1);
    expect(timeslices).toMatchObject([
      { startNs: 0, endNs: 2 * SECOND, total: 20, rate: 10 },
      { startNs: 2 * SECOND, endNs: 4 * SECOND, total: 20, rate: 10 },
      { startNs: 4 * SECOND, endNs: 6 * SECOND, total: 35, rate: 17.5 },
    ]);
    expect(stats).toMatchObject({ total: 75, rate_max: 17.5, rate_avg: 12.5 });
  });

  it('belongs to the last complete slice of a histogram', () => {
    const { stats, timeslices } = computeSlices(histogram, 1);
    expect(timeslices.map(slice => 'count' in slice && [slice.endNs, slice.count, slice.sum])).toEqual([
      [2 * SECOND, 20, 40],
      [4 * SECOND, 20, 40],
      [6 * SECOND, 35, 70],
    ]);
    expect(timeslices.at(-1)).toMatchObject({
      buckets: [
        ['1', 7],
        ['+Inf', 35],
      ],
    });
    expect(timeslices.at(-1)).not.toHaveProperty('is_complete');
    expect(stats).toMatchObject({ count: 75, sum: 150 });
  });

  it('belongs to the last complete slice of a gauge', () => {
    const { timeslices } = computeSlices(createScalarStore('gauge', scrapes), 1);
    expect(timeslices).toEqual([
      { startNs: 0, endNs: 2 * SECOND, avg: 5, min: 0, max: 10 },
      { startNs: 2 * SECOND, endNs: 4 * SECOND, avg: 25, min: 20, max: 30 },
      { startNs: 4 * SECOND, endNs: 6 * SECOND, avg: 56.25, min: 40, max: 75 },
    ]);
  });

  it.each([undefined, 0, 0.002])('is a separate slice if the minimum is %s s', minPartialSeconds => {
    const { timeslices } = computeSlices(createScalarStore('counter', scrapes), minPartialSeconds);
    expect(timeslices).toHaveLength(4);
    expect(timeslices.at(-1)).toMatchObject({ startNs: 6 * SECOND, total: 15, is_complete: false });
  });
});

describe('invalid options', () => {
  const created = createScalarStore('gauge', SQUARES);

  it.each([-1, Number.NaN])('rejects a minimum partial slice of %s s', minPartialSeconds => {
    expect(() => computeStatistics(created, createPeriod(0, 4), 1, minPartialSeconds)).toThrow(
      /^minPartialNs is -?\w+; expected/,
    );
  });

  it.each([
    [createPeriod(3, 2), undefined, 'period 3000000000 to 2000000000 ns ends before it starts'],
    [{ startNs: Number.NaN, endNs: 1 }, undefined, 'period NaN to 1 ns ends before it starts'],
    [createPeriod(1, 2), 0, 'sliceNs is 0; expected an integer greater than 0'],
    [createPeriod(1, 2), 0.5e-9, 'sliceNs is 0.5; expected an integer'],
    [createPeriod(1, 2), Number.NaN, 'sliceNs is NaN'],
  ])('rejects period %j with slices of %s s', (period, sliceSeconds, message) => {
    expect(() => computeStatistics(created, period, sliceSeconds)).toThrow(message);
  });
});

describe('a store that receives more frames', () => {
  it('updates its statistics after new frames', () => {
    const created = createScalarStore('counter', SQUARES);
    computeStatistics(created, createPeriod(0, 20), 1);
    appendFrame(created.store, 12, [2000]);
    expect(computeStatistics(created, createPeriod(0, 20), 1)).toMatchObject({ stats: { total: 2000 } });
  });
});
