import { describe, expect, test } from 'vitest';
import { testSeparation } from '../../../src/compare/significance/separation.ts';
import { varySlices } from '../runs.ts';

const withSpike = (values: number[]): number[] => values.map((value, i) => (i === 4 ? 50 * value : value));
const testValues = (base: readonly number[], other: readonly number[]): number | undefined =>
  testSeparation({ values: base }, { values: other });

test('separates runs although a spike dominates the variance', () => {
  // The number of arrangements of 10 and 10 values is 184,756.
  expect(testValues(varySlices(1), withSpike(varySlices(2)))).toBeCloseTo(2 / 184_756, 10);
});

describe('is undefined', () => {
  test.each<[string, number[], number[]]>([
    ['if the slices overlap', varySlices(1, 0.2), varySlices(1.2, 0.2)],
    ['if the gap is smaller than the range of both runs', varySlices(1, 0.2), varySlices(1.6, 0.2)],
    ['with fewer than 8 slices', varySlices(1).slice(0, 7), varySlices(2).slice(0, 7)],
    [
      'if fewer than 8 slices of a run are independent',
      varySlices(1),
      Array.from({ length: 20 }, (_, i) => 5 + i / 10),
    ],
    ['for negative values', varySlices(-1), varySlices(2)],
  ])('%s', (_, base, other) => {
    expect(testValues(base, other)).toBeUndefined();
  });
});
