import { describe, expect, it, test } from 'vitest';
import { learnBucketMoments } from '../../../src/percentile/polynomial/bucketMoments.ts';
import { parityCases } from '../support/parityCases.ts';
import { createWindow } from '../support/windows.ts';

describe.skipIf(parityCases === null)('AIPerf parity of learned moments', () => {
  test.each(parityCases ?? [])('$id $note', parityCase => {
    const learned = learnBucketMoments(createWindow(parityCase, parityCase.start_idx));
    for (const [bucket, le] of parityCase.les.entries()) {
      const expected = parityCase.stats[le];
      expect(learned[bucket] === null, le).toBe(expected === undefined);
      if (expected === undefined) continue;
      expect(learned[bucket]?.mean).toBeCloseTo(expected.estimated_mean, 12);
      expect(learned[bucket]?.variance === null).toBe(expected.estimated_variance === null);
      expect(learned[bucket]?.variance ?? 0).toBeCloseTo(expected.estimated_variance ?? 0, 12);
    }
  });
});

const les = ['1', '2', '+Inf'];

describe('learnBucketMoments', () => {
  it('learns means from intervals whose observations are all in one bucket', () => {
    const window = createWindow({
      les,
      sums: [0, 1, 7, 9],
      counts: [0, 2, 6, 9],
      bucket_counts: [
        [0, 0, 0],
        [2, 2, 2],
        [2, 6, 6],
        [4, 7, 9],
      ],
    });
    expect(learnBucketMoments(window)).toEqual([
      { mean: 0.5, variance: null },
      { mean: 1.5, variance: null },
      null,
    ]);
  });

  it('computes the variance of three or more interval means', () => {
    const rows = [0, 1, 2, 3, 4];
    const window = createWindow({
      les,
      sums: [0, 0.1, 0.4, 0.9, 1.0],
      counts: rows,
      bucket_counts: rows.map(n => [n, n, n]),
    });
    const [bucket] = learnBucketMoments(window);
    expect(bucket?.mean).toBeCloseTo(0.25, 12);
    expect(bucket?.variance).toBeCloseTo(0.11 / 3, 12);
  });

  it('skips a falling count', () => {
    const window = createWindow({
      les,
      sums: [0, 2, 0.5],
      counts: [0, 4, 1],
      bucket_counts: [
        [0, 0, 0],
        [4, 4, 4],
        [1, 1, 1],
      ],
    });
    expect(learnBucketMoments(window)).toEqual([{ mean: 0.5, variance: null }, null, null]);
  });
});
