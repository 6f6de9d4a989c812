import { expect, test } from 'vitest';
import { computeChangeRates } from '../../src/statistics/changeRates.ts';

const createSamples = (
  rows: readonly (readonly [seconds: number, value: number])[],
): { timesNs: Float64Array; values: Float64Array } => ({
  timesNs: Float64Array.from(rows, ([seconds]) => seconds * 1e9),
  values: Float64Array.from(rows, ([, value]) => value),
});

test('computes rates between changes and weights the average by time', () => {
  const rates = computeChangeRates(
    createSamples([
      [0, 100],
      [1, 100],
      [2, 120],
      [2.5, 170],
      [3, 170],
    ]),
  );
  // The value increases by 20 in 2 s and by 50 in 0.5 s.
  expect(rates).toEqual({
    rate_avg: 70 / 2.5,
    rate_min: 10,
    rate_max: 100,
    rate_std: expect.closeTo(90 / Math.SQRT2, 9),
  });
});

test('computes one rate for one change', () => {
  expect(
    computeChangeRates(
      createSamples([
        [0, 0],
        [4, 8],
      ]),
    ),
  ).toEqual({ rate_avg: 2, rate_min: 2, rate_max: 2, rate_std: 0 });
});

test('ignores resets and never returns negative rates', () => {
  const rates = computeChangeRates(
    createSamples([
      [0, 10],
      [1, 20],
      [2, 5],
      [3, 8],
    ]),
  );
  expect(rates).toMatchObject({ rate_avg: 6.5, rate_min: 3, rate_max: 10 });
});

test.each([
  ['no growth', [[0, 5] as const, [1, 5] as const]],
  ['one sample', [[0, 5] as const]],
  ['only a decrease', [[0, 5] as const, [1, 3] as const]],
  ['equal times', [[1, 5] as const, [1, 6] as const]],
])('%s has no rates', (_, rows) => {
  expect(computeChangeRates(createSamples(rows))).toBeNull();
});
