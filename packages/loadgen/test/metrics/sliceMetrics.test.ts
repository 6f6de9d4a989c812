import { expect, test } from 'vitest';
import { computeRequestMetrics } from '../../src/metrics/requestMetrics.ts';
import { SliceMetrics } from '../../src/metrics/sliceMetrics.ts';
import { createRecord } from '../support/record.ts';

const SECOND = 1e9;

test('assigns a request to the timeslice of its start', () => {
  const slices = new SliceMetrics(SECOND, { streaming: true });
  const periodNs = 5 * SECOND;
  for (const at of [5, 5.5, 5.999999999, 6, 8.2]) {
    const record = createRecord({ startNs: at * SECOND, lastTokenNs: (at + 3) * SECOND });
    slices.add(record, computeRequestMetrics(record), periodNs);
  }
  const result = slices.toSlices(periodNs, 8.5 * SECOND);
  expect(result.map(({ index, startNs, endNs, isComplete }) => [index, startNs, endNs, isComplete])).toEqual([
    [0, 5 * SECOND, 6 * SECOND, true],
    [1, 6 * SECOND, 7 * SECOND, true],
    [3, 8 * SECOND, 8.5 * SECOND, false],
  ]);
  expect(result.map(({ blocks }) => blocks.request_count?.avg)).toEqual([3, 1, 1]);
  // Rates are relative to the duration of the timeslice.
  expect(result.map(({ blocks }) => blocks.request_throughput?.avg)).toEqual([3, 1, 2]);
  expect(result[0]!.blocks.request_latency).toMatchObject({ count: 3, avg: 3000 });
});

test('merges a short last timeslice without server metrics into the previous timeslice', () => {
  const slices = new SliceMetrics(SECOND, { streaming: true });
  for (const at of [5.2, 6.1, 6.9, 7.05]) {
    const record = createRecord({ startNs: at * SECOND, lastTokenNs: (at + 1) * SECOND });
    slices.add(record, computeRequestMetrics(record), 5 * SECOND);
  }
  const failed = createRecord({
    startNs: 7.06 * SECOND,
    failure: { type: 'HttpError', message: 'refused', code: 500 },
  });
  slices.add(failed, computeRequestMetrics(failed), 5 * SECOND);
  const result = slices.toSlices(5 * SECOND, 7.1 * SECOND, {
    lastStartNs: 6 * SECOND,
    intervalNs: 0.2 * SECOND,
  });
  expect(result.map(({ index, isComplete }) => [index, isComplete])).toEqual([
    [0, true],
    [1, true],
  ]);
  expect(result.map(({ blocks }) => blocks.request_count!.avg)).toEqual([1, 3]);
  expect(result[1]!.blocks.error_request_count!.avg).toBe(1);
  expect(result[1]!.blocks.request_latency!.count).toBe(3);
  expect(result[1]!.blocks.request_throughput!.avg).toBe(3);
});

test('keeps a last timeslice that has server metrics, is not short, or has discarded its exact values', () => {
  const listSlices = (lastStartNs: number, maxExactValues?: number, intervalNs = 0.4 * SECOND): number[] => {
    const options = { streaming: true, ...(maxExactValues === undefined ? {} : { maxExactValues }) };
    const slices = new SliceMetrics(SECOND, options);
    for (const at of [5.2, 6.1, 6.2]) {
      const record = createRecord({ startNs: at * SECOND });
      slices.add(record, computeRequestMetrics(record), 5 * SECOND);
    }
    return slices.toSlices(5 * SECOND, 6.3 * SECOND, { lastStartNs, intervalNs }).map(({ index }) => index);
  };
  expect(listSlices(5 * SECOND)).toEqual([0]);
  expect(listSlices(6 * SECOND)).toEqual([0, 1]);
  expect(listSlices(5 * SECOND, 1)).toEqual([0, 1]);
  expect(listSlices(5 * SECOND, undefined, 0.3 * SECOND)).toEqual([0, 1]);
  expect(listSlices(5 * SECOND, undefined, 1.1 * SECOND)).toEqual([0, 1]);
  expect(listSlices(4 * SECOND)).toEqual([0, 1]);
});

test('counts requests that start after the last possible timeslice', () => {
  const slices = new SliceMetrics(1, { streaming: true });
  for (const startNs of [9_999, 10_000, 5e9]) {
    const record = createRecord({ startNs });
    slices.add(record, computeRequestMetrics(record), 0);
  }
  expect(slices.omitted).toBe(2);
  expect(slices.toSlices(0, 6e9).map(({ index }) => index)).toEqual([9_999]);
});

test('measures the requests that ended in each timeslice', () => {
  const slices = new SliceMetrics(SECOND, { streaming: true });
  for (const [start, end] of [
    [5, 5.5],
    [5.5, 6.1],
    [6, 6.9],
    [6.5, 9],
  ] as const) {
    const record = createRecord({ startNs: start * SECOND, lastTokenNs: end * SECOND });
    slices.add(record, computeRequestMetrics(record), 5 * SECOND);
  }
  const blocks = slices.toSlices(5 * SECOND, 8 * SECOND).map(each => each.blocks);
  expect(blocks.map(({ ended_request_count: count }) => count)).toEqual([
    { unit: 'requests', avg: 1 },
    { unit: 'requests', avg: 2 },
  ]);
  expect(blocks.map(({ ended_request_latency: latency }) => latency)).toEqual([
    { unit: 'ms', avg: 500 },
    { unit: 'ms', avg: 750 },
  ]);
});

test('computes only the timeslices that have changed since the last call', () => {
  const requests = [5.1, 5.6, 6.2, 6.4, 7.1, 7.9, 8.2, 6.9, 5.9, 8.3].map((at, i) => {
    const record = createRecord({ startNs: at * SECOND, lastTokenNs: (at + 0.05 + (i % 3)) * SECOND });
    return { record, metrics: computeRequestMetrics(record), endNs: (7 + i * 0.2) * SECOND };
  });
  const followed = new SliceMetrics(SECOND, { streaming: true });
  const results = requests.map(({ record, metrics, endNs }, last) => {
    followed.add(record, metrics, 5 * SECOND);
    const slices = followed.toSlices(5 * SECOND, endNs);
    const all = new SliceMetrics(SECOND, { streaming: true });
    for (const each of requests.slice(0, last + 1)) all.add(each.record, each.metrics, 5 * SECOND);
    expect(slices).toEqual(all.toSlices(5 * SECOND, endNs));
    return slices;
  });
  const changed = results.map((slices, i) =>
    slices.filter(slice => !results[i - 1]?.includes(slice)).map(({ index }) => index),
  );
  // Each request changes the timeslices of its start and its end, and the last one becomes longer.
  expect(changed.at(-3)).toEqual([1, 2, 3]);
  expect(changed.at(-2)).toEqual([0, 2, 3]);
  expect(changed.at(-1)).toEqual([3]);
});
