import { describe, expect, it } from 'vitest';
import { computePairwiseSum, computeSampleVariance } from '../../../src/percentile/polynomial/pairwiseSum.ts';

describe('computePairwiseSum', () => {
  // Results of NumPy 1.24 for np.full(n, 0.1).sum() and np.var(..., ddof=1).
  it.each([
    [2, 0.2, 0.0],
    [3, 0.30000000000000004, 2.8888949165808538e-34],
    [7, 0.7, 2.2469182684517753e-34],
    [8, 0.8, 0.0],
    [10, 1.0, 0.0],
    [13, 1.3000000000000003, 2.0864241064195054e-34],
    [100, 9.999999999999998, 7.781535128837317e-34],
    [128, 12.800000000000002, 1.9410947470989463e-34],
    [129, 12.899999999999999, 1.940976272077761e-34],
    [200, 20.0, 0.0],
    [1000, 100.00000000000001, 1.9278578021894254e-34],
    [4099, 409.9000000000001, 1.9263999126508735e-34],
  ])('adds %i values of 0.1 in the same order as NumPy', (length, sum, variance) => {
    const values = Array.from({ length }, () => 0.1);
    expect(computePairwiseSum(values)).toBe(sum);
    expect(computeSampleVariance(values)).toBe(variance);
  });

  it.each([1, 7, 8, 9, 127, 128, 129, 1000])('adds %i values exactly', length => {
    const values = Array.from({ length }, (_, at) => at);
    expect(computePairwiseSum(values)).toBe((length * (length - 1)) / 2);
  });

  it('returns null for the variance of fewer than two values', () => {
    expect(computeSampleVariance([])).toBeNull();
    expect(computeSampleVariance([1])).toBeNull();
  });
});
