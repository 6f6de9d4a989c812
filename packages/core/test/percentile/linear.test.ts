import { describe, expect, it, test } from 'vitest';
import type { PercentileEstimates } from '../../src/percentile/estimator.ts';
import { estimateLinearPercentiles } from '../../src/percentile/linear.ts';
import { parityCases } from './support/parityCases.ts';
import { createWindow } from './support/windows.ts';

/** Estimates percentiles for a period with these cumulative counts, after a reference sample of zeros. */
function estimateFromCounts(les: string[], counts: number[]): PercentileEstimates | null {
  const count = counts.at(-1) ?? 0;
  const rows = [counts.map(() => 0), counts];
  return estimateLinearPercentiles(
    createWindow({ les, sums: [0, 1], counts: [0, count], bucket_counts: rows }),
  );
}

describe('estimateLinearPercentiles', () => {
  test.each<[string, string[], number[], Partial<PercentileEstimates>]>([
    [
      'interpolates from 0 in the first bucket',
      ['2', '4', '+Inf'],
      [50, 100, 100],
      { p25: 1, p50: 2, p75: 3 },
    ],
    [
      'returns the highest finite bound for +Inf',
      ['2', '4', '+Inf'],
      [10, 20, 100],
      { p10: 2, p50: 4, p99: 4 },
    ],
    ['returns the first bound if it is 0', ['0', '4', '+Inf'], [50, 100, 100], { p1: 0, p50: 0, p75: 2 }],
    ['returns the first bound if it is negative', ['-5', '5', '+Inf'], [50, 100, 100], { p1: -5, p75: 0 }],
    ['interpolates between negative bounds', ['-5', '-3', '+Inf'], [0, 100, 100], { p50: -4 }],
    ['skips empty buckets', ['1', '2', '3', '+Inf'], [0, 0, 100, 100], { p1: 2.01, p50: 2.5 }],
    ['stays in the lower bucket at a bound', ['1', '2', '3', '+Inf'], [50, 50, 100, 100], { p50: 1 }],
    ['raises falling counts', ['1', '2', '3', '+Inf'], [40, 20, 100, 100], { p25: 0.625, p50: 2 + 1 / 6 }],
    [
      'ignores a +Inf count below other buckets, like Prometheus',
      ['1', '2', '+Inf'],
      [0, 100, 90],
      { p50: 1.5 },
    ],
  ])('%s', (_, les, counts, expected) => {
    const estimates = estimateFromCounts(les, counts);
    for (const [name, value] of Object.entries(expected)) {
      expect(estimates?.[name as keyof PercentileEstimates], name).toBeCloseTo(value, 12);
    }
  });

  test.each<[string, string[], number[]]>([
    ['no observations', ['1', '+Inf'], [0, 0]],
    ['no bucket', [], []],
    ['one bucket', ['+Inf'], [5]],
    ['no +Inf bucket', ['1', '2'], [3, 5]],
  ])('returns null for %s', (_, les, counts) => {
    expect(estimateFromCounts(les, counts)).toBeNull();
  });

  it('ignores rounding differences', () => {
    const estimates = estimateFromCounts(['1', '2', '3', '+Inf'], [1, 1 + 1e-13, 2, 2]);
    expect(estimates?.p75).toBeCloseTo(2.5, 12);
  });

  it('handles a reset', () => {
    const les = ['2', '4', '+Inf'];
    const bucket_counts = [
      [90, 95, 95],
      [100, 145, 145],
      [40, 50, 50],
    ];
    const window = createWindow({ les, sums: [0, 9, 5], counts: [95, 145, 50], bucket_counts });
    expect(estimateLinearPercentiles(window)).toEqual(estimateFromCounts(les, [50, 100, 100]));
  });
});

// Prometheus returns NaN without a +Inf bucket, and with only one bucket.
const comparableCases = (parityCases ?? []).filter(
  parityCase => parityCase.les.at(-1) === '+Inf' && parityCase.les.length > 1,
);

describe.skipIf(parityCases === null)('shared parity cases', () => {
  test.each(comparableCases)('$id $note', parityCase => {
    const counts = parityCase.les.map(le => parityCase.bucket_deltas[le]!);
    const estimates = estimateFromCounts(parityCase.les as string[], counts);
    for (const [name, expected] of Object.entries(parityCase.prometheus)) {
      const value = estimates?.[name as keyof PercentileEstimates] ?? null;
      if (expected === null) expect(value).toBeNull();
      else expect(value).toBeCloseTo(expected, 9);
    }
  });
});
