import { expect, test } from 'vitest';
import { computeTrueBoundary, countGrid } from '../../src/search/trueBoundary.ts';

test.each([
  { low: 8, high: 512, precision: 0.05, count: 87 },
  { low: 1, high: 10, precision: 0.05, count: 10 },
  { low: 100, high: 121, precision: 0.1, count: 3 },
])('a grid from $low to $high with $precision has $count values', ({ low, high, precision, count }) => {
  expect(countGrid(low, high, precision)).toBe(count);
});

test('the boundary of a low limit is where requests begin to wait for others', () => {
  const loop = { requests: 40, promptTokens: 64, outputTokens: 16 };
  const boundary = computeTrueBoundary(loop, 120, { maxRunning: 4, prefixCaching: false });
  expect(boundary).toBeGreaterThan(3);
  expect(boundary).toBeLessThan(6);
});
