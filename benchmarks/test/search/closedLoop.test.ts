import { expect, test } from 'vitest';
import { computePercentile, runClosedLoop } from '../../src/search/closedLoop.ts';

const LOOP = { requests: 60, promptTokens: 64, outputTokens: 16 };
const SERVER = { maxRunning: 4, seed: 1, prefixCaching: false };

test('requests wait only if there are more of them than the batch holds', () => {
  const [fitting, waiting] = [4, 12].map(concurrency => runClosedLoop({ ...LOOP, concurrency }, SERVER));
  expect(fitting!.firstTokenMs).toHaveLength(60);
  const [short, long] = [fitting!, waiting!].map(({ firstTokenMs }) => computePercentile(firstTokenMs, 0.5));
  expect(long!).toBeGreaterThan(5 * short!);
  // The batch is full in both loops.
  expect(waiting!.seconds / fitting!.seconds).toBeCloseTo(1, 0);
});

test.each([
  [[1, 2, 3, 4], 0.5, 2.5],
  [[4, 1], 1, 4],
  [[7], 0.95, 7],
])('the percentile of %j at %d is %d', (values, share, expected) => {
  expect(computePercentile(values, share)).toBe(expected);
});
