import { describe, expect, it } from 'vitest';
import type { PeriodEdges } from '../../src/period/window.ts';
import {
  readHistogramWindow,
  readScalarWindow,
  readSummaryWindow,
  resolveEndpointPeriod,
  summarizeWindow,
} from '../../src/period/window.ts';
import {
  createHistogramStore,
  createScalarStore,
  createSummaryStore,
  type Scrape,
  SECOND,
  seconds,
} from '../support/stores.ts';

describe('resolveEndpointPeriod', () => {
  const timeline = { originNs: 0n, offsetsNs: Float64Array.of(0, 1e9, 2e9, 3e9) };

  it.each([
    ['ends with the first scrape after it', 1.5, 2],
    ['includes no second scrape, even if a scrape is on its end', 1, 2],
    ['ends at its end if no scrape follows', 3, 3],
    ['ends at its end if this is after the last scrape', 7.5, 7.5],
  ])('%s', (_name, requestedEnd, end) => {
    expect(resolveEndpointPeriod(timeline, seconds(0.5, requestedEnd))).toEqual(seconds(0.5, end));
  });

  it.each<[string, PeriodEdges, number, number]>([
    ['ignores a baseline before the start', { baselineNs: 0 }, 500_000_000, 2e9],
    ['starts right after a later baseline', { baselineNs: 1e9 }, 1e9 + 1, 2e9],
    ['starts right after a baseline on the start', { baselineNs: 0.5e9 }, 0.5e9 + 1, 2e9],
    ['ignores a baseline after the end', { baselineNs: 3e9 }, 0.5e9, 2e9],
    ['ends with the closing scrape, not with a scrape that was in flight', { closingNs: 3e9 }, 0.5e9, 3e9],
    ['ends with the next scrape if the closing scrape is before its end', { closingNs: 1e9 }, 0.5e9, 2e9],
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

/** Values are 10 * time, so that a value identifies its sample. */
const at = (...times: readonly number[]): Scrape[] => times.map(time => [time, time * 10]);
const gone = (time: number): Scrape => [time, null];

const CASES: readonly Case[] = [
  ['the last sample before the start', at(0, 1, 2, 3, 4), 2.5, 4, { reference: 2, rows: [20, 30, 40] }],
  [
    'strictly before the start: a sample on the start is in the period',
    at(0, 1, 2, 3),
    2,
    3,
    { reference: 1, rows: [10, 20, 30] },
  ],
  ['missing if the first sample is in the period', at(0, 1, 2), 0, 1, { reference: null, rows: [0, 10] }],
  [
    'before a gap of the series',
    [...at(0), gone(1), gone(2), gone(3), ...at(4)],
    3,
    5,
    { reference: 0, rows: [0, 40] },
  ],
  [
    'long before the start',
    [...at(0), ...Array.from({ length: 700 }, (_, i) => gone(i / 8 + 1)), ...at(200)],
    150,
    250,
    { reference: 0, rows: [0, 2000] },
  ],
  [
    'missing if the series appeared late',
    [gone(0), gone(1), ...at(2, 3)],
    1.5,
    9,
    { reference: null, rows: [20, 30] },
  ],
  [
    'without samples if the series disappeared before the period',
    [...at(0, 1), gone(2), gone(3)],
    1.5,
    3,
    null,
  ],
  ['without samples if the series appears after the period', [gone(0), ...at(5)], 0, 4, null],
  ['without samples if no scrape is in the period', at(0, 10), 3, 6, null],
  ['found if the end is in the period', at(0, 1, 2, 3), 1, 2, { reference: 0, rows: [0, 10, 20] }],
  ['found for unordered frames', at(3, 0, 2, 1), 1.5, 3, { reference: 1, rows: [10, 20, 30] }],
];

describe('the reference sample of a series is', () => {
  it.each(CASES)('%s', (_name, scrapes, start, end, expected) => {
    const { store, series } = createScalarStore('counter', scrapes);
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
    const { store, series } = createScalarStore('counter', [
      [0, 5],
      [0, 6],
      [1, 7],
    ]);
    expect([...readScalarWindow(store, series, seconds(1, 2))!.samples.values]).toEqual([6, 7]);
  });

  it('the last complete sample of a histogram', () => {
    const { store, series } = createHistogramStore(
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
    const { store, series } = createSummaryStore(
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
