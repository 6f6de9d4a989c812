import { expect, test } from 'vitest';
import type { SampleHistory } from '../../../src/report/timeline/sampleHistory.ts';
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
  expect(observations.sumRates()).toEqual([10, null, null, 2]);
});

test.each<[string, SampleHistory, (number | null)[], (number | null)[]]>([
  ['is unknown before its first sample', {}, [null, null, 10, 10], [null, null, 10, 10]],
  [
    'counts from 0 if it was created in the run',
    { creation: { periodStart: 0, interval: 0.5 } },
    [0, 5, 10, 10],
    [0, 5, 10, 10],
  ],
])('a series %s', (_name, history, expectedRates, expectedCounts) => {
  const fourBins = { bins: 4, width: 1 };
  const rates = new RateTrace(fourBins, history);
  const observations = new ObservationTrace(fourBins, history);
  for (const [seconds, value] of [
    [2, 5],
    [4, 25],
  ] as const) {
    rates.add({ seconds, value });
    observations.add({ seconds, count: value, sum: value, buckets: new Map() });
  }
  expect(rates.values()).toEqual(expectedRates);
  const isKnown = observations.values().map(value => value !== null);
  expect(isKnown).toEqual(expectedCounts.map(count => (count ?? 0) > 0));
  expect([...observations.counts]).toEqual(expectedCounts.map(count => count ?? 0));
});

test.each<[string, SampleHistory, (number | null)[]]>([
  ['spreads an increase over samples that are far apart', {}, [10, 10, 10, 10]],
  ['leaves an outage blank', { outages: [[1.2, 3]] }, [10, null, null, null]],
  ['ignores an outage before the samples', { outages: [[-5, -1]] }, [10, 10, 10, 10]],
  ['leaves a restart between distant samples blank', { restarts: [3.5] }, [10, null, null, null]],
])('%s', (_name, history, expected) => {
  const trace = new RateTrace({ bins: 4, width: 1 }, history);
  for (const [seconds, value] of [
    [0, 100],
    [1, 110],
    [4, 140],
  ] as const)
    trace.add({ seconds, value });
  expect(trace.values()).toEqual(expected);
});

test('counts from 0 after a restart in which no value falls', () => {
  const trace = new RateTrace(axis, { restarts: [2] });
  trace.add({ seconds: 0, value: 4 });
  trace.add({ seconds: 2, value: 6 });
  expect(trace.values()).toEqual([3, null, null]);
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
