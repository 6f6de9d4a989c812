import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SeriesHistory } from '../../src/period/seriesHistory.ts';
import { cutFixedSlices } from '../../src/period/timeslices.ts';
import {
  type CounterSlice,
  type CounterStatistics,
  computeCounterSlices,
  computeCounterStatistics,
} from '../../src/statistics/counter.ts';

type Case = readonly [
  name: string,
  times: readonly number[],
  values: readonly number[],
  expected: CounterStatistics,
];

/** Times in seconds; the first row is the reference sample. */
const CASES: readonly Case[] = [
  ['rising', [0, 2, 4], [1000, 1200, 1500], { total: 500, rate: 125 }],
  ['constant', [0, 2, 4], [7, 7, 7], { total: 0, rate: 0 }],
  ['sampled once', [3], [7], { total: 0, rate: 0 }],
  ['sampled twice at the same time', [3, 3], [7, 9], { total: 2, rate: 0 }],
  ['beyond 2^53', [0, 1], [2 ** 53 - 2, 2 ** 53 + 4], { total: 6, rate: 6 }],
  [
    'reset, ending below the first value',
    [0, 1, 2],
    [100, 5, 20],
    { total: 0, rate: 0, resets: 1, increase: 20 },
  ],
  [
    'reset, ending above the first value',
    [0, 1, 2, 4],
    [10, 50, 5, 90],
    { total: 80, rate: 20, resets: 1, increase: 130 },
  ],
  ['reset twice', [0, 1, 2, 3, 4], [10, 20, 3, 4, 1], { total: 0, rate: 0, resets: 2, increase: 15 }],
  ['reset to 0', [0, 1], [10, 0], { total: 0, rate: 0, resets: 1, increase: 0 }],
  [
    'negative, which the format forbids',
    [0, 1, 2],
    [5, -7, -7],
    { total: 0, rate: 0, resets: 1, increase: 0 },
  ],
];

describe('computeCounterStatistics', () => {
  it.each(CASES)('handles a counter that is %s', (_name, times, values, expected) => {
    const samples = {
      timesNs: Float64Array.from(times, time => time * 1e9),
      values: Float64Array.from(values),
    };
    expect(computeCounterStatistics(samples)).toEqual(expected);
  });

  it.each<[string, number[], SeriesHistory, object]>([
    [
      'created in the run',
      [3, 5],
      { absentNs: 0 },
      { total: 2, rate: 2, created_in_run: true, increase: 5, increase_rate: 0.5 },
    ],
    [
      'created in the run and sampled once',
      [3],
      { absentNs: 0 },
      { total: 0, rate: 0, created_in_run: true, increase: 3, increase_rate: 0.3 },
    ],
    [
      'created in the run and reset',
      [3, 5, 1],
      { absentNs: 0 },
      { total: 0, rate: 0, resets: 1, created_in_run: true, increase: 6, increase_rate: 0.6 },
    ],
    [
      'restarted without a fall',
      [3, 10],
      { restartsNs: [1e9] },
      { total: 7, rate: 7, resets: 1, increase: 10, increase_rate: 1 },
    ],
    ['like a gauge', [3, 1, 2, 1, 2, 1], { isGaugeLike: () => true }, { total: 0, rate: 0, decreases: 3 }],
  ])('counts events of a counter that is %s', (_name, values, history, expected) => {
    const timesNs = Float64Array.from(values, (_, at) => at * 1e9);
    const samples = { timesNs, values: Float64Array.from(values) };
    expect(computeCounterStatistics(samples, [], history, 10)).toEqual(expected);
  });

  it('never returns negative values, and returns the increase over all intervals if the counter was reset', () => {
    const row = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 1000 }));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), rows => {
        const times = rows.map((_, at) => rows.slice(0, at + 1).reduce((sum, [gap]) => sum + gap, 0));
        const values = rows.map(([, value]) => value);
        const stats = computeCounterStatistics({
          timesNs: Float64Array.from(times),
          values: Float64Array.from(values),
        });
        let increase = 0;
        let resets = 0;
        for (let at = 1; at < values.length; at++) {
          const fell = values[at]! < values[at - 1]!;
          resets += fell ? 1 : 0;
          increase += fell ? values[at]! : values[at]! - values[at - 1]!;
        }
        expect(stats.total).toBeGreaterThanOrEqual(0);
        expect(stats.rate).toBeGreaterThanOrEqual(0);
        if (resets === 0) expect(stats).toEqual({ total: increase, rate: stats.rate });
        else expect(stats).toMatchObject({ resets, increase });
      }),
    );
  });
});

describe('computeCounterSlices', () => {
  const samples = {
    timesNs: Float64Array.of(-1e9, 0.5e9, 1e9, 2.5e9, 4.2e9),
    values: Float64Array.of(100, 110, 120, 90, 95),
  };
  const slices = computeCounterSlices(samples, cutFixedSlices({ startNs: 0, endNs: 4.5e9 }, 1e9));

  it('computes differences of the last samples at the edges, clamped to 0, and divides them by the slice duration', () => {
    expect(slices).toMatchObject([
      { startNs: 0, endNs: 1e9, total: 20, rate: 20 },
      { startNs: 1e9, endNs: 2e9, total: 0, rate: 0 },
      { startNs: 2e9, endNs: 3e9, total: 0, rate: 0 },
      { startNs: 3e9, endNs: 4e9, total: 0, rate: 0 },
      { startNs: 4e9, endNs: 4.5e9, is_complete: false, total: 5, rate: 10 },
    ]);
  });

  it('computes rate_* without the partial slice', () => {
    expect(computeCounterStatistics(samples, slices)).toMatchObject({
      rate_avg: 5,
      rate_min: 0,
      rate_max: 20,
      rate_std: 10,
    });
  });

  it('omits rate_* without a complete slice', () => {
    expect(computeCounterStatistics(samples, slices.slice(-1))).not.toHaveProperty('rate_avg');
  });

  it('returns a rate_std of 0 for one slice', () => {
    expect(computeCounterStatistics(samples, slices.slice(0, 1))).toMatchObject({
      rate_avg: 20,
      rate_std: 0,
    });
  });

  it('assumes the value of the first sample before that sample', () => {
    const lateSamples = { timesNs: Float64Array.of(2.5e9, 3.5e9), values: Float64Array.of(50, 60) };
    const totals = computeCounterSlices(lateSamples, cutFixedSlices({ startNs: 0, endNs: 4e9 }, 1e9)).map(
      ({ total }) => total,
    );
    expect(totals).toEqual([0, 0, 0, 10]);
  });
});

describe('increase_rate of the slices of a counter', () => {
  /** Computes the slices of 1 s of a counter with these times in seconds and values. */
  const slice = (times: readonly number[], values: readonly number[], seconds: number): CounterSlice[] =>
    computeCounterSlices(
      { timesNs: Float64Array.from(times, time => time * 1e9), values: Float64Array.from(values) },
      cutFixedSlices({ startNs: 0, endNs: seconds * 1e9 }, 1e9),
    );
  const listRates = (slices: readonly CounterSlice[]): (number | undefined)[] =>
    slices.map(({ is_gap, increase_rate, rate }) =>
      is_gap ? undefined : Number((increase_rate ?? rate).toFixed(6)),
    );

  it('is 1000 in every slice of a counter with a constant 1000/s that is scraped every 333 ms', () => {
    const times = Array.from({ length: 200 }, (_, at) => at / 3 + (at % 6 < 3 ? -0.01 : 0.01));
    const slices = slice(
      times,
      times.map(time => 1e6 + 1000 * time),
      60,
    );
    const rates = slices.map(({ rate }) => rate);
    expect([Math.min(...rates) < 700, Math.max(...rates) > 1300]).toEqual([true, true]);
    expect(listRates(slices)).toEqual(Array.from({ length: 60 }, () => 1000));
  });

  it('is absent if it equals the rate', () => {
    expect(slice([0, 1, 2], [10, 20, 20], 2)).toEqual([
      { startNs: 0, endNs: 1e9, total: 10, rate: 10 },
      { startNs: 1e9, endNs: 2e9, total: 0, rate: 0 },
    ]);
  });

  it.each<[string, number[], number[], (number | undefined)[]]>([
    ['before the first sample', [2.5, 3, 4, 5], [0, 50, 150, 250], [undefined, undefined, 100, 100, 100]],
    ['after the last sample', [0, 1, 2, 2.5], [0, 100, 200, 250], [100, 100, 100, undefined, undefined]],
    [
      'in a gap longer than two slices',
      [0, 0.9, 4.1, 5],
      [0, 90, 90, 180],
      [100, undefined, undefined, undefined, 100],
    ],
    [
      'but not in a gap of up to two slices',
      [0, 1.1, 2.9, 4.8, 5],
      [0, 110, 290, 480, 500],
      [100, 100, 100, 100, 100],
    ],
  ])('is unknown %s', (_, times, values, rates) => {
    expect(listRates(slice(times, values, 5))).toEqual(rates);
  });

  it('marks the slices in which a reset may have happened, and counts across it', () => {
    const slices = slice([0, 0.8, 1.2, 2, 3], [100, 180, 20, 100, 200], 3);
    expect(slices.map(({ resets, increase }) => [resets, increase])).toEqual([
      [1, 80],
      [1, 100],
      [undefined, undefined],
    ]);
    expect(listRates(slices)).toEqual([90, 90, 100]);
  });

  it('has increases that add up to the increase of the period', () => {
    const row = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 1000 }));
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 40 }), rows => {
        const times = rows.map((_, at) => rows.slice(0, at).reduce((sum, [gap]) => sum + gap / 10, 0));
        const values = rows.map(([, value]) => value);
        const samples = {
          timesNs: Float64Array.from(times, time => time * 1e9),
          values: Float64Array.from(values),
        };
        const slices = slice(times, values, times.at(-1)!);
        const { total, increase = total } = computeCounterStatistics(samples, slices);
        const sum = slices.reduce((sum, part) => sum + (part.increase ?? part.total), 0);
        expect(sum).toBeCloseTo(increase, 6);
        for (const part of slices) expect(part.increase_rate ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
