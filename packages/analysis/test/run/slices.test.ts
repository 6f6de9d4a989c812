import { expect, test } from 'vitest';
import type { RunSlice } from '../../src/run/series.ts';
import {
  correctRateStatistics,
  type ExportedSlice,
  groupSlicesByTime,
  toRunSlices,
} from '../../src/run/slices.ts';
import { createSlices, SECOND_NS, START_NS } from '../documents.ts';

/** Selects the values of a slice, without its times. */
const listValues = (slices: readonly RunSlice[]): object[] =>
  slices.map(({ start_ns, end_ns, ...values }) => values);

test('returns the same slices without resets, gaps and other rates', () => {
  const slices = createSlices([{ total: 4, rate: 2 }]);
  expect(toRunSlices(slices)).toBe(slices);
});

test.each<[string, object, object[]]>([
  ['the rate without sampling artefacts', { total: 4, rate: 2, increase_rate: 3 }, [{ total: 6, rate: 3 }]],
  [
    'the increase of a counter across a reset',
    { total: 0, rate: 0, increase: 0, increase_rate: 3, resets: 1 },
    [{ total: 6, rate: 3, resets: 1 }],
  ],
  [
    'the observations of a histogram across a reset',
    {
      count: 0,
      sum: 0,
      avg: 0,
      buckets: null,
      increase: { count: 2, sum: 6, avg: 3, buckets: { '+Inf': 2 } },
      count_rate: 1,
      resets: 1,
    },
    [{ count: 2, sum: 6, avg: 3, buckets: { '+Inf': 2 }, count_rate: 1, resets: 1 }],
  ],
  [
    'the observations of a histogram without sums across a reset',
    { count: 0, buckets: null, increase: { count: 2, buckets: { '+Inf': 2 } }, resets: 1 },
    [{ count: 2, buckets: { '+Inf': 2 }, resets: 1 }],
  ],
  ['nothing for a gap', { total: 0, rate: 0, is_gap: true }, []],
])('uses %s', (_, slice, expected) => {
  expect(listValues(toRunSlices(createSlices([slice as ExportedSlice])))).toEqual(expected);
});

test('inserts the slices with a reset that the export lists separately', () => {
  const [first, reset, last] = createSlices([{ count: 1 }, { count: 0, resets: 1 }, { count: 3 }]);
  expect(toRunSlices([first!, last!], [reset!])).toEqual([first, reset, last]);
});

test('computes rate_* from the rates without sampling artefacts of complete slices', () => {
  const slices = createSlices([{ rate: 1000 }, { rate: 1000 }, { rate: 400, is_complete: false }]);
  const exported = { total: 2000, rate_avg: 1000, rate_min: 668, rate_max: 1331, rate_std: 330 };
  expect(correctRateStatistics(exported, slices)).toEqual({
    total: 2000,
    rate_avg: 1000,
    rate_min: 1000,
    rate_max: 1000,
    rate_std: 0,
  });
  expect(correctRateStatistics({ total: 5 }, slices)).toEqual({ total: 5 });
  expect(correctRateStatistics(exported, createSlices([{ rate: 1 }, { rate: 3 }])).rate_std).toBeCloseTo(
    Math.SQRT2,
  );
});

test('groups the slices of several series by their start', () => {
  const [a, b, c] = createSlices([{ avg: 1 }, { avg: 2 }, { avg: 3 }]);
  const late = { ...b!, avg: 5 };
  expect(groupSlicesByTime([[a!, b!, c!], [late]])).toEqual([[a], [b, late], [c]]);
  expect(groupSlicesByTime([[c!], [a!]])[0]![0]!.start_ns).toBe(START_NS);
  expect(c!.start_ns - a!.start_ns).toBe(4n * SECOND_NS);
});
