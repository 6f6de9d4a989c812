import { describe, expect, it } from 'vitest';
import { estimateLinearPercentiles } from '../../src/percentile/linear.ts';
import {
  type Period,
  readHistogramWindow,
  readScalarWindow,
  readSummaryWindow,
} from '../../src/period/window.ts';
import { computeSeriesStatistics } from '../../src/statistics/seriesStatistics.ts';
import {
  createHistogramStore,
  createPeriod,
  createScalarStore,
  createSummaryStore,
  type Scrape,
  SECOND,
} from '../support/stores.ts';

const exclude = (period: Period, ...seconds: number[]): Period => ({
  ...period,
  excludedNs: new Set(seconds.map(second => second * SECOND)),
});

describe('samples of another phase in the period', () => {
  it.each<[string, Scrape[], number[], null | { hasReference: boolean; values: number[] }]>([
    [
      'are removed',
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 4],
      ],
      [2],
      { hasReference: true, values: [1, 2, 4] },
    ],
    [
      'are references if they precede the first sample',
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 4],
      ],
      [1],
      { hasReference: true, values: [2, 3, 4] },
    ],
    [
      'are references of series without a sample before the period',
      [
        [0, null],
        [1, 2],
        [2, 3],
      ],
      [1],
      { hasReference: true, values: [2, 3] },
    ],
    [
      'leave a series without samples',
      [
        [0, 1],
        [1, 2],
      ],
      [1],
      null,
    ],
    [
      'leave a series without a reference',
      [
        [0, null],
        [1, 2],
        [2, 3],
        [3, 4],
      ],
      [2],
      { hasReference: false, values: [2, 4] },
    ],
  ])('%s', (_name, scrapes, excluded, expected) => {
    const { store, series } = createScalarStore('counter', scrapes);
    const window = readScalarWindow(store, series, exclude(createPeriod(1, 4), ...excluded));
    expect(window && { hasReference: window.hasReference, values: [...window.samples.values] }).toEqual(
      expected,
    );
  });

  it('are removed from all columns of a histogram', () => {
    const { store, series } = createHistogramStore(
      [1],
      [0, 1, 2, 3].map(at => [at, at * 10, at, at * 2]),
    );
    const { samples } = readHistogramWindow(store, series, exclude(createPeriod(1, 3), 2))!;
    expect(
      [samples.timesNs, samples.sums, samples.counts, ...samples.cumulative].map(column => [...column]),
    ).toEqual([
      [0, 1 * SECOND, 3 * SECOND],
      [0, 10, 30],
      [0, 2, 6],
      [0, 1, 3],
      [0, 2, 6],
    ]);
  });

  it('are removed from all columns of a summary', () => {
    const { store, series } = createSummaryStore(
      [0.5],
      [0, 1, 2, 3].map(at => [at, at * 10, at, at / 10]),
    );
    const { samples } = readSummaryWindow(store, series, exclude(createPeriod(1, 3), 2))!;
    expect([...samples.sums, ...samples.counts, ...samples.values[0]!]).toEqual([
      0, 10, 30, 0, 1, 3, 0, 0.1, 0.3,
    ]);
  });
});

describe('timeslices by series', () => {
  const compute = (scrapes: readonly Scrape[], type: 'gauge' | 'counter' = 'counter') => {
    const { store, series } = createScalarStore(type, scrapes);
    const result = computeSeriesStatistics(store, series, {
      period: { ...createPeriod(1, 9), isSlicedBySeries: true },
      sliceNs: 2 * SECOND,
      minPartialNs: 5 * SECOND,
      estimator: estimateLinearPercentiles,
    });
    const slices = (
      result as { timeslices?: readonly { startNs: number; endNs: number; is_complete?: false }[] }
    ).timeslices;
    return slices?.map(({ startNs, endNs, is_complete }) => [startNs / SECOND, endNs / SECOND, is_complete]);
  };

  it('begin at the first sample of the series in the period, and keep a short last slice', () => {
    expect(
      compute([
        [0, 1],
        [1.5, 2],
        [3, 4],
        [5, 6],
        [6, 7],
      ]),
    ).toEqual([
      [1.5, 3.5, undefined],
      [3.5, 5.5, undefined],
      [5.5, 6, false],
    ]);
  });

  it('begin at the first sample of a series that appears later', () => {
    expect(
      compute([
        [0, null],
        [1, null],
        [3, 4],
        [5, 6],
      ]),
    ).toEqual([[3, 5, undefined]]);
  });

  it('are not shorter if updates are rare', () => {
    expect(
      compute([
        [0, 1],
        [4, 2],
        [8, 4],
      ]),
    ).toEqual([
      [4, 6, undefined],
      [6, 8, undefined],
    ]);
  });

  it('consist of one slice of 1 ns for a counter with a single sample, and of none for such a gauge', () => {
    const scrapes: readonly Scrape[] = [
      [0, 1],
      [2, 5],
    ];
    expect(compute(scrapes)).toEqual([[2, 2.000000001, false]]);
    expect(compute(scrapes, 'gauge')).toBeUndefined();
  });
});
