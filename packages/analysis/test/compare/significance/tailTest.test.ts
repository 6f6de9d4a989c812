import { describe, expect, test } from 'vitest';
import { testTail } from '../../../src/compare/significance/tailTest.ts';
import type { RunSlice } from '../../../src/run/series.ts';

/** Creates timeslices of 100 observations. `above[i]` of those in slice i are above 1 s. */
function createSlices(
  above: readonly number[],
  options: { bound?: string; count?: number } = {},
): RunSlice[] {
  const { bound = '1', count = 100 } = options;
  return above.map((high, i) => ({
    start_ns: BigInt(i) * 2_000_000_000n,
    end_ns: BigInt(i + 1) * 2_000_000_000n,
    count,
    sum: count,
    avg: 1,
    buckets: { '0.1': Math.round(count / 2), [bound]: count - high, '+Inf': count },
  }));
}

const RARE = [1, 0, 2, 1, 1, 0, 1, 2, 0, 2, 1, 1];
const FREQUENT = RARE.map(value => value + 6);

test('finds a longer tail, although each timeslice has too few observations for a percentile', () => {
  const result = testTail(createSlices(RARE), createSlices(FREQUENT), 0.99, 2);
  expect(result).toHaveProperty('p');
  expect((result as { p: number }).p).toBeLessThan(0.001);
});

test('finds no difference between equal tails, whatever the estimates of the percentiles are', () => {
  const reversed = [...RARE].reverse();
  const result = testTail(createSlices(RARE), createSlices(reversed), 0.99, 3) as { p: number };
  expect(result.p).toBeGreaterThan(0.5);
});

test('finds the tail of a server that collapses', () => {
  const growing = RARE.map((_, i) => Math.min(100, 20 + 10 * i));
  const result = testTail(createSlices(RARE), createSlices(growing), 0.99, 20) as { p: number };
  expect(result.p).toBeLessThan(0.01);
});

describe('gives the reason if there is no test', () => {
  test.each<[string, RunSlice[], RunSlice[]]>([
    [
      'too few observations (120) for this percentile',
      createSlices(RARE, { count: 10 }),
      createSlices(RARE, { count: 10 }),
    ],
    ['different buckets', createSlices(RARE), createSlices(RARE, { bound: '2' })],
    ['timeslices without buckets', createSlices(RARE), []],
    ['no timeslices', [], []],
    ['too few timeslices with observations', createSlices(RARE.slice(0, 6)), createSlices(RARE.slice(0, 6))],
    [
      'buckets are too wide for this percentile',
      createSlices(
        RARE.map(() => 0),
        { count: 1000, bound: '5' },
      ),
      createSlices(
        RARE.map(() => 0),
        { count: 1000, bound: '5' },
      ),
    ],
  ])('%s', (reason, base, other) => {
    expect(testTail(base, other, 0.99, 1)).toEqual({ reason });
  });
});
