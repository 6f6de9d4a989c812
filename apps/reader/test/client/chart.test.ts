import { expect, test } from 'vitest';
import { includeZero } from '../../client/chart.ts';

test.each<[number | null, number | null, [number, number]]>([
  [95, 100, [0, 108]],
  [-10, 0, [-10, 0.8]],
  [-5, 5, [-5, 5.8]],
  [0, 0, [0, 1]],
  [null, null, [0, 1.08]],
])('extends the range from %j to %j, so that it includes zero', (low, high, [from, to]) => {
  const range = includeZero(low, high);
  expect(range[0]).toBeCloseTo(from, 9);
  expect(range[1]).toBeCloseTo(to, 9);
});
