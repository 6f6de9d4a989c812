import { describe, expect, it } from 'vitest';
import { checkBuckets, findObservedRange } from '../../src/rules/buckets.ts';
import { collectFindings } from '../support/report.ts';

function check(buckets: Readonly<Record<string, unknown>>, count?: number): string[] {
  return collectFindings(report => checkBuckets(report, ['buckets'], buckets, count));
}

describe('checkBuckets', () => {
  it.each([
    ['complete buckets', { '0.5': 1, '1': 1, '+Inf': 4 }, 4],
    ['buckets whose keys are not sorted', { '+Inf': 4, '0.5': 1, '1': 2 }, 4],
    ['buckets without a known count', { '1': 1, '+Inf': 2 }, undefined],
    ['another spelling of infinity', { '1': 1, inf: 2 }, 2],
  ])('accepts %s', (_, buckets, count) => {
    expect(check(buckets, count)).toEqual([]);
  });

  it.each([
    [
      'counts that decrease',
      { '0.5': 3, '1': 2, '+Inf': 4 },
      4,
      [
        'buckets-monotone .buckets["1"]: is 2, less than bucket "0.5" (3); buckets are cumulative, so counts must not decrease',
      ],
    ],
    [
      'two spellings of one bound',
      { '1': 1, '1.0': 1, '+Inf': 1 },
      1,
      ['buckets-bounds .buckets["1.0"]: is the same bound as "1"; each bound must occur once'],
    ],
    [
      'a missing infinite bound',
      { '1': 1 },
      1,
      ['buckets-infinity .buckets: has no "+Inf"; the last bucket of a histogram must be "+Inf"'],
    ],
    [
      'a last bucket that differs from the count',
      { '1': 1, '+Inf': 2 },
      3,
      [
        'buckets-count .buckets["+Inf"]: is 2, but count is 3; the "+Inf" bucket must count every observation',
      ],
    ],
  ])('reports %s', (_, buckets, count, expected) => {
    expect(check(buckets, count)).toEqual(expected);
  });
});

describe('findObservedRange', () => {
  const createRows = (counts: readonly number[]) =>
    counts.map((count, i) => ({
      le: String(i),
      bound: i === counts.length - 1 ? Number.POSITIVE_INFINITY : i,
      count,
    }));

  it.each([
    ['no observations', [0, 0, 0], undefined],
    ['observations in the middle', [0, 0, 5, 5], { low: 1, high: 2 }],
    ['observations in the first bucket', [5, 5, 5], { low: Number.NEGATIVE_INFINITY, high: 0 }],
    ['observations above all bounds', [0, 0, 5], { low: 1, high: Number.POSITIVE_INFINITY }],
  ])('finds the range of %s', (_, counts, expected) => {
    expect(findObservedRange(createRows(counts))).toEqual(expected);
  });
});
