import { describe, expect, test } from 'vitest';
import { computeErrors, type Score, summarize } from '../../src/accuracy/score.ts';

describe('computeErrors', () => {
  test.each([
    ['an exact estimate', 2, 2, 0.1, { relative: 0, logRatio: 0, isMissing: false }],
    [
      'an estimate that is 10% too high',
      1.1,
      1,
      0.1,
      { relative: 0.1, logRatio: Math.log(1.2 / 1.1), isMissing: false },
    ],
    ['a true value of 0', 0.05, 0, 0.1, { relative: 0.5, logRatio: Math.log(0.15 / 0.1), isMissing: false }],
    ['a negative estimate', -1, 1, 0.1, { relative: 2, logRatio: Math.log(1.1 / 0.1), isMissing: false }],
    ['a missing estimate', undefined, 1, 0.1, { relative: 1, logRatio: 3, isMissing: true }],
    ['an estimate of NaN', Number.NaN, 1, 0.1, { relative: 1, logRatio: 3, isMissing: true }],
  ])('returns the errors of %s', (_, estimate, truth, floor, expected) => {
    const errors = computeErrors(estimate, truth, floor);
    expect(errors.relative).toBeCloseTo(expected.relative, 12);
    expect(errors.logRatio).toBeCloseTo(expected.logRatio, 12);
    expect(errors.isMissing).toBe(expected.isMissing);
  });
});

describe('summarize', () => {
  const createScore = (relative: number, isMissing = false): Score => ({
    method: 'linear',
    percentile: 'p50',
    rate: 1,
    relative,
    logRatio: 2 * relative,
    isMissing,
  });

  test('returns the median, 90th percentile and mean of the errors, and the number of missing estimates', () => {
    const scores = [0.4, 0.1, 0.3, 0.2, 0].map(relative => createScore(relative));
    const summary = summarize([...scores, createScore(1, true)]);
    expect(summary.median_rel).toBeCloseTo(0.25, 12);
    expect(summary.p90_rel).toBeCloseTo(0.7, 12);
    expect(summary.mean_rel).toBeCloseTo(2 / 6, 12);
    expect(summary.mean_abs_log_ratio).toBeCloseTo(4 / 6, 12);
    expect(summary.none).toBe(1);
  });

  test('returns the errors of a single score unchanged', () => {
    expect(summarize([createScore(0.5)])).toEqual({
      median_rel: 0.5,
      p90_rel: 0.5,
      mean_rel: 0.5,
      mean_abs_log_ratio: 1,
      none: 0,
    });
  });
});
