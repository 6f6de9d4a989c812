import { describe, expect, it } from 'vitest';
import type { PeriodEdges } from '../../src/period/period.ts';
import {
  readHistogramWindow,
  readScalarWindow,
  readSummaryWindow,
  resolveEndpointPeriod,
  summarizeWindow,
} from '../../src/period/window.ts';
import {
  histogramStore,
  type Scrape,
  SECOND,
  scalarStore,
  seconds,
  summaryStore,
} from '../support/stores.ts';

describe('resolveEndpointPeriod', () => {
  const timeline = { originNs: 0n, offsetsNs: Float64Array.of(0, 1e9, 2e9, 3e9) };

  it.each([
    ['ends with the final scrape that follows it', 1.5, 2],
    ['takes no second scrape, even when one lies on its end', 1, 2],
    ['ends as it was asked for when no scrape follows', 3, 3],
    ['ends as it was asked for when it ends after the last scrape', 7.5, 7.5],
  ])('%s', (_name, asked, end) => {
    expect(resolveEndpointPeriod(timeline, seconds(0.5, asked))).toEqual(seconds(0.5, end));
  });

  it.each<[string, PeriodEdges, number, number]>([
    ['needs no mention of a baseline before the start', { baselineNs: 0 }, 500_000_000, 2e9],
    ['begins right behind a baseline that came later', { baselineNs: 1e9 }, 1e9 + 1, 2e9],
    ['begins right behind one that came on the start', { baselineNs: 0.5e9 }, 0.5e9 + 1, 2e9],
    ['does not begin behind its end', { baselineNs: 3e9 }, 0.5e9, 2e9],
    ['ends with the scrape that closes it, not with one that was under way', { closingNs: 3e9 }, 0.5e9, 3e9],
    ['ends with the next scrape when a closing one lies before its end', { closingNs: 1e9 }, 0.5e9, 2e9],
  ])('%s', (_name, edges, startNs, endNs) => {
    expect(resolveEndpointPeriod(timeline, seconds(0.5, 1.5), edges)).toEqual({ startNs, endNs });
  });
});

type Case = readonly [
  name: string,
  scrapes: readonly Scrape[],
  start: number,
  end: number,
  expected: null | { reference: number | null; rows: readonly number[] },
];

/** Values are 10 times their times, so that rows tell which sample they are. */
const at = (...times: readonly number[]): Scrape[] => times.map(time => [time, time * 10]);
const gone = (time: number): Scrape => [time, null];

const CASES: readonly Case[] = [
  ['the last sample before the start', at(0, 1, 2, 3, 4), 2.5, 4, { reference: 2, rows: [20, 30, 40] }],
  [
    'strictly before: one on the start is in the period',
    at(0, 1, 2, 3),
    2,
    3,
    { reference: 1, rows: [10, 20, 30] },
  ],
  ['none, when the first sample is in the period', at(0, 1, 2), 0, 1, { reference: null, rows: [0, 10] }],
  [
    'one from before the series was gone',
    [...at(0), gone(1), gone(2), gone(3), ...at(4)],
    3,
    5,
    { reference: 0, rows: [0, 40] },
  ],
  [
    'one from long before',
    [...at(0), ...Array.from({ length: 700 }, (_, i) => gone(i / 8 + 1)), ...at(200)],
    150,
    250,
    { reference: 0, rows: [0, 2000] },
  ],
  [
    'none, when the series came late',
    [gone(0), gone(1), ...at(2, 3)],
    1.5,
    9,
    { reference: null, rows: [20, 30] },
  ],
  ['nothing, when the series vanished before the period', [...at(0, 1), gone(2), gone(3)], 1.5, 3, null],
  ['nothing, when the series comes after the period', [gone(0), ...at(5)], 0, 4, null],
  ['nothing, when no scrape is in the period', at(0, 10), 3, 6, null],
  ['the end is in the period', at(0, 1, 2, 3), 1, 2, { reference: 0, rows: [0, 10, 20] }],
  ['frames in order of time', at(3, 0, 2, 1), 1.5, 3, { reference: 1, rows: [10, 20, 30] }],
];

describe('the reference sample of a series is', () => {
  it.each(CASES)('%s', (_name, scrapes, start, end, expected) => {
    const { store, series } = scalarStore('counter', scrapes);
    const first = scrapes[0]![0];
    const window = readScalarWindow(store, series, seconds(start - first, end - first));
    if (expected === null) {
      expect(window).toBeNull();
      return;
    }
    expect([...window!.samples.values]).toEqual(expected.rows);
    const { referenceNs, samples } = summarizeWindow(window!);
    expect(referenceNs === null ? null : referenceNs / SECOND + first).toBe(expected.reference);
    expect(samples).toBe(expected.rows.length - (expected.reference === null ? 0 : 1));
  });

  it('the later of two frames with equal times', () => {
    const { store, series } = scalarStore('counter', [
      [0, 5],
      [0, 6],
      [1, 7],
    ]);
    expect([...readScalarWindow(store, series, seconds(1, 2))!.samples.values]).toEqual([6, 7]);
  });

  it('the last complete sample of a histogram', () => {
    const { store, series } = histogramStore(
      [1],
      [
        [0, 1, 1, 1],
        [1, null, 2, 2],
        [2, 3, 3, 3],
      ],
    );
    const { samples } = readHistogramWindow(store, series, seconds(1.5, 2))!;
    expect([...samples.timesNs]).toEqual([0, 2 * SECOND]);
  });

  it('the last sample of a summary', () => {
    const { store, series } = summaryStore(
      [0.5],
      [
        [0, 1, 1, 1],
        [2, 3, 3, 1],
      ],
    );
    expect([...readSummaryWindow(store, series, seconds(1, 3))!.samples.counts]).toEqual([1, 3]);
    expect(readSummaryWindow(store, series, seconds(3, 4))).toBeNull();
  });
});
