import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addToBins, findBin } from '../../../src/report/timeline/timeAxis.ts';

const axis = { bins: 5, width: 2 };

test.each([
  ['within one bin', 2.5, 3.5, 4, [0, 4, 0, 0, 0]],
  ['over two bins, by their shares', 1, 5, 4, [1, 2, 1, 0, 0]],
  ['begins before the axis', -2, 2, 4, [2, 0, 0, 0, 0]],
  ['ends behind the axis', 9, 11, 4, [0, 0, 0, 0, 2]],
  ['at one moment', 4, 4, 3, [0, 0, 3, 0, 0]],
  ['wholly outside', 20, 22, 3, [0, 0, 0, 0, 0]],
])('%s', (_, from, to, amount, expected) => {
  const bins = new Float64Array(5);
  addToBins(bins, axis, from, to, amount);
  expect([...bins]).toEqual(expected);
});

test('keeps the sum of amounts on the axis', () => {
  const time = fc.double({ min: 0, max: 10, noNaN: true });
  fc.assert(
    fc.property(time, time, fc.integer({ min: 1, max: 1000 }), (a, b, amount) => {
      const bins = new Float64Array(5);
      addToBins(bins, axis, Math.min(a, b), Math.max(a, b), amount);
      expect(bins.reduce((sum, one) => sum + one, 0)).toBeCloseTo(amount, 6);
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
