import { expect, test } from 'vitest';
import { compareRuns, type Run } from '../../../src/index.ts';
import { createHistogram, createMetric } from '../../documents.ts';
import { createTestRun, varySlices } from '../runs.ts';

const createRuns = (means: readonly number[], hasSlices: boolean): Run[] =>
  means.map(mean =>
    createTestRun({
      'vllm:time_to_first_token_seconds': createMetric('histogram', [
        createHistogram(500, mean, hasSlices ? { slices: varySlices(mean) } : {}),
      ]),
    }),
  );

// Expected values from scipy.stats.ttest_ind of the logarithms 1.17: equal_var=False, and equal_var=True if all
// slices of both sides are separated by much more than repeated runs differ.
test.each<[string, number[], number[], boolean, number]>([
  ['Welch, three runs per side', [100, 102, 101], [140, 150, 130], false, 0.014440525869024107],
  ['Welch, two runs per side without timeslices', [0.02, 0.022], [2.6, 4], false, 0.02098944401099461],
  [
    'pooled variances, two runs per side that are separated',
    [0.02, 0.022],
    [2.6, 4],
    true,
    0.0019138958629646206,
  ],
])('tests the logarithms of repeated runs: %s', (_, base, other, hasSlices, p) => {
  const { rows } = compareRuns(createRuns(base, hasSlices), createRuns(other, hasSlices), { stats: ['avg'] });
  expect(rows[0]!.p! / p).toBeCloseTo(1, 6);
});

test('does not pool variances if the gap is similar to the offset between repeated runs', () => {
  const [pooled, separate] = [true, false].map(
    hasSlices =>
      compareRuns(createRuns([1, 1.3], hasSlices), createRuns([1.7, 2], hasSlices), { stats: ['avg'] })
        .rows[0]!.p!,
  );
  expect(pooled).toBe(separate);
});
