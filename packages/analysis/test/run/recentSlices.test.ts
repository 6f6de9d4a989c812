import { expect, it, vi } from 'vitest';
import { RecentSlices } from '../../src/run/recentSlices.ts';
import type { RunSlice } from '../../src/run/series.ts';

const createSlices = (count: number): RunSlice[] =>
  Array.from({ length: count }, (_, index) => ({ start_ns: BigInt(index), end_ns: BigInt(index + 1) }));

it('creates the timeslices of a series once', () => {
  const recent = new RecentSlices(10);
  const create = vi.fn(() => createSlices(4));
  const series = {};
  expect(recent.get(series, create)).toBe(recent.get(series, create));
  expect(create).toHaveBeenCalledOnce();
});

it('keeps at most the given number of timeslices, of the newest series', () => {
  const recent = new RecentSlices(10);
  const create = vi.fn(() => createSlices(4));
  const series = [{}, {}, {}];
  for (const item of series) recent.get(item, create);
  for (const item of series.slice(1)) recent.get(item, create);
  expect(create).toHaveBeenCalledTimes(3);
  expect(recent.get(series[0]!, create)).toHaveLength(4);
  expect(create).toHaveBeenCalledTimes(4);
});

it('returns the timeslices of a series that has more than the maximum', () => {
  const recent = new RecentSlices(3);
  expect(recent.get({}, () => createSlices(4))).toHaveLength(4);
});
