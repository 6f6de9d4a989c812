import { expect, test } from 'vitest';
import { readSliceSample } from '../../../src/compare/noise/sliceSample.ts';
import type { RunSlice } from '../../../src/run/series.ts';

const at = (index: number, values: object): RunSlice => ({
  start_ns: BigInt(2 * index) * 1_000_000_000n,
  end_ns: BigInt(2 * index + 2) * 1_000_000_000n,
  ...values,
});

const REQUESTS = { name: 'request_count', type: 'client', unit: 'requests' } as const;
const THROUGHPUT = { name: 'request_throughput', type: 'client', unit: 'requests/sec' } as const;
const COUNTER = { name: 'c', type: 'counter', unit: null } as const;

test.each<[string, RunSlice[], string, Parameters<typeof readSliceSample>[2], object | undefined]>([
  [
    'a total as its rate per second',
    [at(0, { avg: 10 }), at(1, { avg: 20 })],
    'avg',
    REQUESTS,
    { values: [5, 10], isRateOfTotal: true },
  ],
  [
    'a time without requests, for which there is no timeslice, as 0',
    [at(0, { avg: 10 }), at(3, { avg: 20 })],
    'avg',
    THROUGHPUT,
    { values: [10, 0, 0, 20] },
  ],
  [
    'the total of a counter as its rate',
    [at(0, { total: 4, rate: 2 })],
    'total',
    COUNTER,
    { values: [2], isRateOfTotal: true },
  ],
  [
    'means of client metrics with their weights',
    [at(0, { avg: 3, count: 5 })],
    'avg',
    { name: 'request_latency', type: 'client', unit: 'ms' },
    { values: [3], weights: [5] },
  ],
  [
    'no rates of slices without a length',
    [{ ...at(0, { avg: 10 }), end_ns: 0n }, at(1, { avg: 20 })],
    'avg',
    REQUESTS,
    undefined,
  ],
  [
    'no rates of slices with a gap that is many times longer',
    [
      { ...at(0, { avg: 10 }), end_ns: 1n },
      { ...at(1, { avg: 20 }), end_ns: 2_000_000_001n },
    ],
    'avg',
    REQUESTS,
    undefined,
  ],
  ['no maximum', [at(0, { avg: 3, max: 4 })], 'max', { name: 'g', type: 'gauge', unit: null }, undefined],
])('reads %s', (_, slices, stat, metric, expected) => {
  const sample = readSliceSample(slices, stat, metric);
  if (expected === undefined) expect(sample).toBeUndefined();
  else expect(sample).toMatchObject(expected);
});
