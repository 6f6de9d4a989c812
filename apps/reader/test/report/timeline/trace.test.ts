import { expect, test } from 'vitest';
import { LevelTrace, ObservationTrace, RateTrace } from '../../../src/report/timeline/trace.ts';

const axis = { bins: 3, width: 2 };

test('averages the samples of a gauge per bin, and returns null for a bin without samples', () => {
  const trace = new LevelTrace(axis);
  for (const [seconds, value] of [
    [0, 1],
    [1, 3],
    [5, 7],
  ] as const)
    trace.add({ seconds, value });
  expect(trace.values()).toEqual([2, null, 7]);
});

test('computes the increase of a counter per second', () => {
  const trace = new RateTrace(axis);
  for (const [seconds, value] of [
    [0, 100],
    [1, 110],
    [4, 140],
    [6, 140],
  ] as const)
    trace.add({ seconds, value });
  expect(trace.values()).toEqual([10, 10, 0]);
});

test('treats a falling counter as reset to 0', () => {
  const trace = new RateTrace(axis);
  trace.add({ seconds: 0, value: 100 });
  trace.add({ seconds: 2, value: 6 });
  expect(trace.values()).toEqual([3, null, null]);
});

test('leaves a gap between distant samples with a reset, because the server was down for an unknown time', () => {
  const rates = new RateTrace({ bins: 4, width: 1 });
  const observations = new ObservationTrace({ bins: 4, width: 1 });
  for (const [seconds, value] of [
    [0, 100],
    [1, 110],
    [3.5, 6],
    [4, 8],
  ] as const) {
    rates.add({ seconds, value });
    observations.add({ seconds, count: value, sum: value, buckets: new Map() });
  }
  expect(rates.values()).toEqual([10, null, null, 4]);
  expect(observations.values()).toEqual([1, null, null, 1]);
});

test('averages the observations of a histogram', () => {
  const trace = new ObservationTrace(axis);
  const createBuckets = (low: number, total: number): Map<string, number> =>
    new Map([
      ['1', low],
      ['+Inf', total],
    ]);
  trace.add({ seconds: 0, count: 10, sum: 5, buckets: createBuckets(10, 10) });
  trace.add({ seconds: 2, count: 14, sum: 11, buckets: createBuckets(12, 14) });
  trace.add({ seconds: 4, count: 14, sum: 11, buckets: createBuckets(12, 14) });
  // After a reset, the whole value counts as an increase.
  trace.add({ seconds: 6, count: 2, sum: 8, buckets: createBuckets(0, 2) });
  expect(trace.values()).toEqual([1.5, null, 4]);
  expect([...trace.buckets.get('1')!]).toEqual([2, 0, 0]);
  expect([...trace.buckets.get('+Inf')!]).toEqual([4, 0, 2]);
});
