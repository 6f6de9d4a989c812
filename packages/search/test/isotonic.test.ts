import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitIsotonic } from '../src/isotonic.ts';

const weighted = (values: readonly number[]) => values.map(value => ({ value, weight: 1 }));

test.each([
  { values: [1, 2, 3], fitted: [1, 2, 3] },
  { values: [3, 1, 2], fitted: [2, 2, 2] },
  { values: [1, 3, 2, 4], fitted: [1, 2.5, 2.5, 4] },
  { values: [], fitted: [] },
])('the isotonic fit of $values is $fitted', ({ values, fitted }) => {
  expect(fitIsotonic(weighted(values))).toEqual(fitted);
});

test('a value with a larger weight moves the pooled mean', () => {
  expect(
    fitIsotonic([
      { value: 4, weight: 3 },
      { value: 0, weight: 1 },
    ]),
  ).toEqual([3, 3]);
});

test('the fit never decreases and keeps the weighted sum', () => {
  const value = fc.record({
    value: fc.double({ min: -100, max: 100, noNaN: true }),
    weight: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(fc.array(value), values => {
      const fitted = fitIsotonic(values);
      const sum = (list: readonly number[]): number =>
        list.reduce((total, each, index) => total + each * values[index]!.weight, 0);
      expect(fitted.every((each, index) => index === 0 || each >= fitted[index - 1]! - 1e-9)).toBe(true);
      expect(sum(fitted)).toBeCloseTo(sum(values.map(each => each.value)), 6);
    }),
  );
});
