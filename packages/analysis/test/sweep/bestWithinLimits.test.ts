import { expect, test } from 'vitest';
import { findBestWithinLimits, judgePoint } from '../../src/sweep/bestWithinLimits.ts';
import { createPoint, type Interval } from './judgedPoints.ts';

const LIMITS = [{ metric: 'ttft_p99', value: 200 }];

test.each<[string, Interval | undefined, number | null, string]>([
  ['an interval below the limit', [100, 50], 0, 'kept'],
  ['an interval that ends at the limit', [150, 50], 0, 'kept'],
  ['an interval above the limit', [300, 50], 0, 'missed'],
  ['an interval that contains the limit', [190, 50], 0, 'undecided'],
  ['a mean without an interval', 100, 0, 'undecided'],
  ['no latency', undefined, 0, 'undecided'],
  ['few failed requests', [100, 50], 0.01, 'kept'],
  ['more failed requests than the percentile leaves out', [100, 50], 0.02, 'missed'],
  ['no latency, because all requests failed', undefined, 1, 'missed'],
  ['an unknown number of failed requests', [100, 50], null, 'kept'],
])('judges %s', (_, latency, failedShare, expected) => {
  expect(judgePoint(createPoint(1, 1, latency, failedShare), LIMITS)).toBe(expected);
});

test('requires every limit', () => {
  const point = createPoint(1, 1, [100, 10]);
  expect(judgePoint(point, [...LIMITS, { metric: 'ttft_p99', value: 50 }])).toBe('missed');
  expect(judgePoint(point, [...LIMITS, { metric: 'itl_p99', value: 50 }])).toBe('undecided');
  expect(judgePoint(point, [])).toBe('undecided');
});

const SLOW = createPoint(32, [30, 1], [900, 50]);

test.each([
  [
    'the highest throughput, if intervals part it from all others',
    [createPoint(1, [10, 1], [50, 5]), createPoint(8, [20, 1], [90, 5]), SLOW],
    ['best', 'c8', []],
  ],
  [
    'no best point, if the throughput of two overlaps',
    [createPoint(8, [20, 3], [90, 5]), createPoint(16, [21, 3], [120, 5]), SLOW],
    ['undecided', 'c16', ['c8']],
  ],
  [
    'no best point, if one with more throughput may keep the limit',
    [createPoint(8, [20, 1], [90, 5]), createPoint(16, [28, 1], [190, 50]), SLOW],
    ['undecided', 'c8', ['c16']],
  ],
  [
    'no best point without repeats',
    [createPoint(1, 10, 50), createPoint(8, 20, 90)],
    ['undecided', undefined, ['c8', 'c1']],
  ],
  ['nothing, if all points miss the limit', [SLOW], ['none', undefined, []]],
  [
    'the point that answers requests, if the fast one fails them',
    [createPoint(8, [20, 1], [90, 5]), createPoint(64, [90, 1], [10, 1], 0.4)],
    ['best', 'c8', []],
  ],
])('finds %s', (_, points, [outcome, best, rivals]) => {
  const found = findBestWithinLimits(points, 'rate', LIMITS);
  expect([found.outcome, found.best?.name, found.rivals.map(({ name }) => name)]).toEqual([
    outcome,
    best,
    rivals,
  ]);
});
