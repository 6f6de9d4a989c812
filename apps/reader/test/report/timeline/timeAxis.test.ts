import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addToBins, BinMeans, findBin, roundValue } from '../../../src/report/timeline/timeAxis.ts';

const axis = { bins: 5, width: 2 };

test.each([
  ['within one bin', 2.5, 3.5, 4, [0, 4, 0, 0, 0]],
  ['over several bins, in proportion to their overlap', 1, 5, 4, [1, 2, 1, 0, 0]],
  ['starting before the axis', -2, 2, 4, [2, 0, 0, 0, 0]],
  ['ending after the axis', 9, 11, 4, [0, 0, 0, 0, 2]],
  ['at one time', 4, 4, 3, [0, 0, 3, 0, 0]],
  ['outside the axis', 20, 22, 3, [0, 0, 0, 0, 0]],
])('adds an amount %s', (_, from, to, amount, expected) => {
  const bins = new Float64Array(5);
  addToBins(bins, axis, from, to, amount);
  expect([...bins]).toEqual(expected);
});

test('preserves the sum of an amount within the axis', () => {
  const time = fc.double({ min: 0, max: 10, noNaN: true });
  fc.assert(
    fc.property(time, time, fc.integer({ min: 1, max: 1000 }), (a, b, amount) => {
      const bins = new Float64Array(5);
      addToBins(bins, axis, Math.min(a, b), Math.max(a, b), amount);
      expect(bins.reduce((sum, value) => sum + value, 0)).toBeCloseTo(amount, 6);
    }),
  );
});

test.each([
  [-0.1, -1],
  [0, 0],
  [1.99, 0],
  [2, 1],
  [10, 4],
  [10.1, -1],
])('finds the bin of %d s: %d', (seconds, bin) => {
  expect(findBin(axis, seconds)).toBe(bin);
});

test('averages the values in each bin, and ignores missing values and values outside the axis', () => {
  const means = new BinMeans({ width: 2, bins: 3 });
  for (const [seconds, value] of [
    [0, 1],
    [1.5, 3],
    [4, 5],
    [5, undefined],
    [-1, 100],
    [7, 100],
  ] as const)
    means.add(seconds, value);
  expect(means.values()).toEqual([2, null, 5]);
});

test.each([
  [1.234567, 1.2346],
  [123_456_789, 123_460_000],
  [0.000123456, 0.00012346],
  [0, 0],
])('rounds %d to %d', (value, rounded) => {
  expect(roundValue(value)).toBe(rounded);
});
