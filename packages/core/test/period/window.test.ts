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
  createPeriod,
  createScalarStore,
  createSummaryStore,
  type Scrape,
  SECOND,
} from '../support/stores.ts';

describe('resolveEndpointPeriod', () => {
  const timeline = { originNs: 0n, offsetsNs: Float64Array.of(0, 1e9, 2e9, 3e9) };

  it.each([
    ['ends with the first scrape after the requested end', 1.5, 2],
    ['ends with the first later scrape even if another scrape is at the requested end', 1, 2],
    ['keeps the requested end if no scrape follows', 3, 3],
    ['keeps a requested end after the last scrape', 7.5, 7.5],
  ])('%s', (_name, requestedEnd, end) => {
    expect(resolveEndpointPeriod(timeline, createPeriod(0.5, requestedEnd))).toEqual(createPeriod(0.5, end));
  });

  it.each<[string, PeriodEdges, number, number]>([
    ['ignores a baseline before the start', { baselineNs: 0 }, 500_000_000, 2e9],
    ['starts right after a later baseline', { baselineNs: 1e9 }, 1e9 + 1, 2e9],
    ['starts right after a baseline at the start', { baselineNs: 0.5e9 }, 0.5e9 + 1, 2e9],
    ['ignores a baseline after the end', { baselineNs: 3e9 }, 0.5e9, 2e9],
    ['ends with the closing scrape, not with a scrape that was in flight', { closingNs: 3e9 }, 0.5e9, 3e9],
    [
      'ends with the next scrape if the closing scrape is before the requested end',
      { closingNs: 1e9 },
      0.5e9,
      2e9,
    ],
  ])('%s', (_name, edges, startNs, endNs) => {
    expect(resolveEndpointPeriod(timeline, createPeriod(0.5, 1.5), edges)).toEqual({ startNs, endNs });
  });
});

type Case = readonly [
  name: string,
  scrapes: readonly Scrape[],
  start: number,
  end: number,
  expected: null | { reference: number | null; rows: readonly number[] },
];

/** Creates scrapes with the value 10 * time, so that a value identifies its sample. */
const createScrapes = (...times: readonly number[]): Scrape[] => times.map(time => [time, time * 10]);
const createMissingScrape = (time: number): Scrape => [time, null];

const CASES: readonly Case[] = [
  [
    'the last sample before the start',
    createScrapes(0, 1, 2, 3, 4),
    2.5,
    4,
    { reference: 2, rows: [20, 30, 40] },
  ],
  [
    'the last sample strictly before the start, if another sample is at the start',
    createScrapes(0, 1, 2, 3),
    2,
    3,
    { reference: 1, rows: [10, 20, 30] },
  ],
  [
    'missing if the first sample is in the period',
    createScrapes(0, 1, 2),
    0,
    1,
    { reference: null, rows: [0, 10] },
  ],
  [
    'the last sample before a gap of the series',
    [
      ...createScrapes(0),
      createMissingScrape(1),
      createMissingScrape(2),
      createMissingScrape(3),
      ...createScrapes(4),
    ],
    3,
    5,
    { reference: 0, rows: [0, 40] },
  ],
  [
    'the last sample before the start, even if it is much older',
    [
      ...createScrapes(0),
      ...Array.from({ length: 700 }, (_, i) => createMissingScrape(i / 8 + 1)),
      ...createScrapes(200),
    ],
    150,
    250,
    { reference: 0, rows: [0, 2000] },
  ],
  [
    'missing if the series appeared late',
    [createMissingScrape(0), createMissingScrape(1), ...createScrapes(2, 3)],
    1.5,
    9,
    { reference: null, rows: [20, 30] },
  ],
  [
    'absent, like the window, if the series disappeared before the period',
    [...createScrapes(0, 1), createMissingScrape(2), createMissingScrape(3)],
    1.5,
    3,
    null,
  ],
  [
    'absent, like the window, if the series appears after the period',
    [createMissingScrape(0), ...createScrapes(5)],
    0,
    4,
    null,
  ],
  ['absent, like the window, if no scrape is in the period', createScrapes(0, 10), 3, 6, null],
  [
    'not affected by samples after the period',
    createScrapes(0, 1, 2, 3),
    1,
    2,
    { reference: 0, rows: [0, 10, 20] },
  ],
  [
    'the last sample before the start in order of time, even if frames are unordered',
    createScrapes(3, 0, 2, 1),
    1.5,
    3,
    { reference: 1, rows: [10, 20, 30] },
  ],
];

describe('the reference sample of a series is', () => {
  it.each(CASES)('%s', (_name, scrapes, start, end, expected) => {
    const { store, series } = createScalarStore('counter', scrapes);
    const first = scrapes[0]![0];
    const window = readScalarWindow(store, series, createPeriod(start - first, end - first));
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
    expect([...readScalarWindow(store, series, createPeriod(1, 2))!.samples.values]).toEqual([6, 7]);
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
    const { samples } = readHistogramWindow(store, series, createPeriod(1.5, 2))!;
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
    expect([...readSummaryWindow(store, series, createPeriod(1, 3))!.samples.counts]).toEqual([1, 3]);
    expect(readSummaryWindow(store, series, createPeriod(3, 4))).toBeNull();
  });
});
