import { expect, test } from 'vitest';
import { estimateFromRuns, estimateSingle } from '../../../src/compare/noise/estimate.ts';
import { runMannWhitneyTest, runWelchTest } from '../../../src/compare/significance/significance.ts';

// Expected values from scipy.stats 1.17: ttest_ind(equal_var=False), mannwhitneyu(method='exact' | 'asymptotic').
test.each([
  [[1, 2, 3, 4, 5], [3, 4, 5, 6, 7], 0.08052],
  [[10, 11, 9, 10.5], [20, 21, 19, 35], 0.03555],
  [[1, 1.1], [1.05, 1.2], 0.50384],
])('computes the p-value of a Welch test for %j and %j', (a, b, p) => {
  expect(runWelchTest(estimateFromRuns(a), estimateFromRuns(b)).p).toBeCloseTo(p, 4);
});

test.each([
  [[1, 2, 3], [4, 5, 6], 0.1, 1],
  [[1, 2, 3, 4, 5], [3.5, 4.5, 5.5, 6.5, 7.5], 0.0556, 0.76],
  [[5, 6, 7], [1, 2], 0.2, -1],
  [[1, 1, 2, 2, 3], [2, 3, 3, 4, 4], 0.0524, 0.76],
  [[1, 1], [1, 1], 1, 0],
])('computes the p-value of a Mann-Whitney test for %j and %j', (a, b, p, effect) => {
  const result = runMannWhitneyTest(a, b);
  expect(result.p).toBeCloseTo(p, 3);
  expect(result.effect).toBeCloseTo(effect, 5);
});

test('returns no p-value for a single value, and a p-value of 0 or 1 for constants', () => {
  expect(runWelchTest(estimateSingle(1), estimateFromRuns([1, 2]))).toEqual({
    p: null,
    error: null,
    degrees: 0,
    effect: null,
  });
  expect(runWelchTest(estimateFromRuns([1, 1]), estimateFromRuns([1, 1])).p).toBe(1);
  expect(runWelchTest(estimateFromRuns([1, 1]), estimateFromRuns([2, 2])).p).toBe(0);
});
