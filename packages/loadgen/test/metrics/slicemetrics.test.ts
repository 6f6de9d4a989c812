import { expect, test } from 'vitest';
import { requestMetrics } from '../../src/metrics/profilemetrics.ts';
import { SliceMetrics } from '../../src/metrics/slicemetrics.ts';
import { recordOf } from './record.ts';

const SECOND = 1e9;

test('a request belongs to the slice in which it began', () => {
  const slices = new SliceMetrics(SECOND, { streaming: true });
  const periodNs = 5 * SECOND;
  for (const at of [5, 5.5, 5.999999999, 6, 8.2]) {
    const record = recordOf({ startNs: at * SECOND, lastTokenNs: (at + 3) * SECOND });
    slices.add(record, requestMetrics(record), periodNs);
  }
  const made = slices.slices(periodNs, 8.5 * SECOND);
  expect(made.map(({ index, startNs, endNs, isComplete }) => [index, startNs, endNs, isComplete])).toEqual([
    [0, 5 * SECOND, 6 * SECOND, true],
    [1, 6 * SECOND, 7 * SECOND, true],
    [3, 8 * SECOND, 8.5 * SECOND, false],
  ]);
  expect(made.map(({ blocks }) => blocks.request_count?.avg)).toEqual([3, 1, 1]);
  // By the length of the slice.
  expect(made.map(({ blocks }) => blocks.request_throughput?.avg)).toEqual([3, 1, 2]);
  expect(made[0]!.blocks.request_latency).toMatchObject({ count: 3, avg: 3000 });
});
