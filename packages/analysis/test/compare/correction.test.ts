import { expect, test } from 'vitest';
import { correctPValues } from '../../src/compare/correction.ts';

// Expected values from R's p.adjust.
test.each<['bh' | 'holm' | 'none', number[]]>([
  ['bh', [0.04, 0.05, 0.053333, 0.8]],
  ['holm', [0.04, 0.075, 0.08, 0.8]],
  ['none', [0.01, 0.025, 0.04, 0.8]],
])('corrects p-values with %s', (correction, expected) => {
  const values = correctPValues([0.01, 0.025, 0.04, 0.8], correction);
  values.forEach((value, i) => {
    expect(value).toBeCloseTo(expected[i]!, 5);
  });
  expect(correctPValues([], correction)).toEqual([]);
});
