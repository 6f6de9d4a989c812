import { expect, test } from 'vitest';
import { splitBatch } from '../../src/metrics/splitBatch.ts';
import {
  COUNTER_FAMILY,
  createBatch,
  createEnd,
  createGauges,
  HISTOGRAM_FAMILY,
} from '../support/batches.ts';

const GAUGES = createGauges(5).families[0]!;
const batch = createEnd(createBatch(0, [COUNTER_FAMILY, GAUGES, HISTOGRAM_FAMILY]));

test.each([
  [1, [[1], [1], [1], [1], [1], [1], [1]]],
  [2, [[1, 1], [2], [2], [1]]],
  [3, [[1, 2], [3], [1]]],
  [6, [[1, 5], [1]]],
  [7, [[1, 5, 1]]],
])('splits the points of three metrics into parts of at most %i', (maxPoints, expected) => {
  const parts = splitBatch(batch, maxPoints);
  expect(parts.map(({ families }) => families.map(({ points }) => points.length))).toEqual(expected);
  expect(parts.flatMap(({ families }) => families.flatMap(({ points }) => points))).toEqual(
    batch.families.flatMap(({ points }) => points),
  );
  for (const { run, timeMs, isEnd } of parts)
    expect({ run, timeMs, isEnd }).toEqual({ run: batch.run, timeMs: batch.timeMs, isEnd: true });
});

test('a small batch is not copied', () => {
  expect(splitBatch(batch, 7)[0]).toBe(batch);
});
