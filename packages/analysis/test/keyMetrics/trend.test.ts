import { expect, test } from 'vitest';
import { createTrendAxis, readTrend } from '../../src/keyMetrics/trend.ts';
import type { RunSlice } from '../../src/run/series.ts';

const createSlice = (startNs: number, endNs: number, avg: number): RunSlice => ({
  start_ns: BigInt(startNs),
  end_ns: BigInt(endNs),
  avg,
});

test.each<[string, readonly RunSlice[], bigint | undefined, readonly (number | null)[]]>([
  ['each slice', [createSlice(0, 10, 1), createSlice(10, 20, 2)], undefined, [1, 2]],
  ['a gap between slices', [createSlice(0, 10, 1), createSlice(20, 30, 3)], undefined, [1, null, 3]],
  ['the time after the last slice', [createSlice(0, 10, 1)], 30n, [1, null, null]],
  [
    'longer slices',
    [createSlice(0, 10, 1), createSlice(10, 20, 2), createSlice(20, 40, 4)],
    undefined,
    [1, 2, 4, 4],
  ],
  ['an incomplete bin at the end', [createSlice(0, 10, 1)], 19n, [1]],
])('reads a trend with %s', (_, slices, profilingEndNs, trend) => {
  const times = profilingEndNs === undefined ? {} : { profilingEndNs };
  expect(readTrend(slices, createTrendAxis([slices], times))).toEqual(trend);
});

test('uses the width of the shortest slices for all series', () => {
  const short = [createSlice(0, 5, 1), createSlice(5, 10, 3)];
  const long = [createSlice(0, 10, 7)];
  const axis = createTrendAxis([long, short], {});
  expect([readTrend(long, axis), readTrend(short, axis)]).toEqual([
    [7, 7],
    [1, 3],
  ]);
});

test('has no trend without slices, and for slices without a length', () => {
  expect(createTrendAxis([[]], {})).toBeUndefined();
  expect(createTrendAxis([[createSlice(5, 5, 1)]], {})).toBeUndefined();
  expect(readTrend([], { startNs: 0n, widthNs: 10, bins: 2 })).toEqual([]);
});

test.each([
  ['very short slices', [createSlice(0, 1, 1)]],
  ['slices without a length at different times', [createSlice(0, 0, 1), createSlice(10, 10, 1)]],
])('limits the number of bins (%s)', (_, slices) => {
  const axis = createTrendAxis([slices], { profilingEndNs: 3_600_000_000_000n })!;
  expect(axis.bins).toBe(100_000);
  expect(readTrend(slices, axis)).toHaveLength(100_000);
});
