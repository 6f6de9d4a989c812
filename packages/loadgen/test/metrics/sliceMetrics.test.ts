import { expect, test } from 'vitest';
import { requestMetrics } from '../../src/metrics/profileMetrics.ts';
import { SliceMetrics } from '../../src/metrics/sliceMetrics.ts';
import { recordOf } from '../support/record.ts';

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

test('a rest that the servers make no slice of belongs to the slice before', () => {
  const slices = new SliceMetrics(SECOND, { streaming: true });
  for (const at of [5.2, 6.1, 6.9, 7.05]) {
    const record = recordOf({ startNs: at * SECOND, lastTokenNs: (at + 1) * SECOND });
    slices.add(record, requestMetrics(record), 5 * SECOND);
  }
  const failed = recordOf({
    startNs: 7.06 * SECOND,
    failure: { type: 'HttpError', message: 'no', code: 500 },
  });
  slices.add(failed, requestMetrics(failed), 5 * SECOND);
  const made = slices.slices(5 * SECOND, 7.1 * SECOND, { lastStartNs: 6 * SECOND, intervalNs: 0.2 * SECOND });
  expect(made.map(({ index, isComplete }) => [index, isComplete])).toEqual([
    [0, true],
    [1, true],
  ]);
  expect(made.map(({ blocks }) => blocks.request_count!.avg)).toEqual([1, 3]);
  expect(made[1]!.blocks.error_request_count!.avg).toBe(1);
  expect(made[1]!.blocks.request_latency!.count).toBe(3);
  expect(made[1]!.blocks.request_throughput!.avg).toBe(3);
});

test('slices that the servers have, that are no short rest, or that no longer keep their values, stay', () => {
  const of = (lastStartNs: number, exactValues?: number, intervalNs = 0.4 * SECOND): number[] => {
    const options = { streaming: true, ...(exactValues === undefined ? {} : { exactValues }) };
    const slices = new SliceMetrics(SECOND, options);
    for (const at of [5.2, 6.1, 6.2]) {
      const record = recordOf({ startNs: at * SECOND });
      slices.add(record, requestMetrics(record), 5 * SECOND);
    }
    return slices.slices(5 * SECOND, 6.3 * SECOND, { lastStartNs, intervalNs }).map(({ index }) => index);
  };
  expect(of(5 * SECOND)).toEqual([0]);
  expect(of(6 * SECOND)).toEqual([0, 1]);
  expect(of(5 * SECOND, 1)).toEqual([0, 1]);
  expect(of(5 * SECOND, undefined, 0.3 * SECOND)).toEqual([0, 1]);
  expect(of(5 * SECOND, undefined, 1.1 * SECOND)).toEqual([0, 1]);
  expect(of(4 * SECOND)).toEqual([0, 1]);
});
