import { expect, test } from 'vitest';
import {
  type Correction,
  correctPValues,
  correctTests,
} from '../../../src/compare/significance/correction.ts';

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

const VALUES = [0.001, 0.004, 0.03, 0.2, 0.6];

test.each<[Correction, number[]]>([
  ['none', [0.05, 0.05, 0.05, 0.05, 0.05]],
  // Three of five tests are significant.
  ['bh', [0.03, 0.03, 0.03, 0.03, 0.03]],
  // Holm rejects the first two hypotheses: 0.05 / 5, 0.05 / 4, then 0.05 / 3 for all others.
  ['holm', [0.05 / 5, 0.05 / 4, 0.05 / 3, 0.05 / 3, 0.05 / 3]],
])('corrects the level of intervals with %s', (correction, expected) => {
  const tests = correctTests(VALUES, correction, 0.05);
  tests.forEach(({ p, level }, i) => {
    expect(level).toBeCloseTo(expected[i]!, 10);
    // An interval excludes 0 if and only if its own p-value is at most its level.
    expect(VALUES[i]! <= level).toBe(p <= 0.05);
  });
});
