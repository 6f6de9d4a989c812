import type { MetricView } from '@org/formats/read';
import { expect, test } from 'vitest';
import {
  createFamily,
  isNonAdditiveUnit,
  type RunSlice,
  readSliceValue,
  readStat,
  selectCompleteSlices,
} from '../../src/run/series.ts';
import { createCounter, createGauge, createHistogram, createMetric, URL_A, URL_B } from '../documents.ts';

test('creates series on first use, with the short names of their endpoints', () => {
  const view = createMetric(
    'gauge',
    [createGauge(1, { labels: { model: 'a' } }), createGauge(2, { url: URL_B })],
    'requests',
  );
  const family = createFamily('running', view as MetricView, {
    endpoints: new Map([[URL_A, 'a:1']]),
  });
  expect(family).toMatchObject({ name: 'running', type: 'gauge', unit: 'requests' });
  expect(family.series).toBe(family.series);
  expect(family.series.map(({ endpoint, labels, stats }) => [endpoint, labels, stats.avg])).toEqual([
    ['a:1', { model: 'a' }, 1],
    [URL_B, {}, 2],
  ]);
});

test('separates the increase of a histogram from its statistics', () => {
  const increase = { count: 7, sum: 3 };
  const series = [
    createHistogram(100, 1, { stats: { increase } }),
    createCounter(5, { stats: { increase: 9 } }),
  ];
  const [latency, tokens] = createFamily('x', createMetric('histogram', series) as MetricView, {
    endpoints: new Map(),
  }).series;
  expect([latency!.increase, readStat(latency!, 'increase')]).toEqual([increase, undefined]);
  expect([tokens!.increase, readStat(tokens!, 'increase')]).toEqual([undefined, 9]);
});

test.each<[string, unknown, number | undefined]>([
  ['number', 1.5, 1.5],
  ['big', 12n, 12],
  ['object', {}, undefined],
  ['missing', undefined, undefined],
])('reads the statistic "%s"', (name, value, expected) => {
  expect(readStat({ stats: value === undefined ? {} : { [name]: value as number } }, name)).toBe(expected);
});

test('does not read inherited properties as statistics', () => {
  expect(readStat({ stats: {} }, 'constructor')).toBeUndefined();
});

test('selects complete slices', () => {
  const times = { start_ns: 0n, end_ns: 1n };
  const slices: RunSlice[] = [times, { ...times, is_complete: true }, { ...times, is_complete: false }];
  expect(selectCompleteSlices({ slices })).toEqual(slices.slice(0, 2));
});

test.each<[Partial<RunSlice>, number]>([
  [{ rate: 2, total: 4 }, 2],
  [{ avg: 3, min: 1 }, 3],
  [{ count: 5 }, Number.NaN],
])('reads the value of the slice %j', (slice, expected) => {
  expect(readSliceValue({ start_ns: 0n, end_ns: 1n, ...slice })).toBe(expected);
});

test.each([
  ['ratio', true],
  ['percent', true],
  ['requests', false],
  [null, false],
])('reports whether values in %j are ratios: %s', (unit, expected) => {
  expect(isNonAdditiveUnit(unit)).toBe(expected);
});
