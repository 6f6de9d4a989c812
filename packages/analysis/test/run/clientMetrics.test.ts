import { expect, test } from 'vitest';
import { type ClientMetrics, type ClientTimeslices, toClientFamilies } from '../../src/run/clientMetrics.ts';

const metrics: ClientMetrics = new Map([
  ['request_latency', { unit: 'ms', avg: 20, p99: 35 }],
  ['request_count', { unit: 'requests', avg: 7 }],
  ['min_request_timestamp', { unit: 'ns', avg: 1_795_425_612_797_505_500 }],
]);

test('converts each metric, except timestamps, to a family of one series without labels', () => {
  const families = toClientFamilies(metrics);
  expect(families.map(({ name, type, unit }) => [name, type, unit])).toEqual([
    ['request_latency', 'client', 'ms'],
    ['request_count', 'client', 'requests'],
  ]);
  expect(families[0]!.series).toEqual([
    {
      name: 'request_latency',
      type: 'client',
      unit: 'ms',
      endpointUrl: 'client',
      endpoint: 'client',
      labels: {},
      stats: { avg: 20, p99: 35 },
      slices: [],
    },
  ]);
});

test('groups timeslices by metric, and omits slices without times or a length', () => {
  const latency = (avg: number): object => ({
    request_latency: { unit: 'ms', avg, min: 1, max: 9, count: 3, p50: 4 },
  });
  const timeslices = {
    timeslices: [
      { timeslice_index: 0, start_ns: 0n, end_ns: 2n, is_complete: true, ...latency(10) },
      { timeslice_index: 1, start_ns: 2n, end_ns: 3n, is_complete: false, ...latency(20) },
      { timeslice_index: 2, ...latency(30) },
      { timeslice_index: 3, start_ns: 3n, end_ns: 3n, ...latency(40) },
    ],
  } as unknown as ClientTimeslices;
  const [latencies, requests] = toClientFamilies(metrics, timeslices);
  expect(latencies!.series[0]!.slices).toEqual([
    { start_ns: 0n, end_ns: 2n, is_complete: true, avg: 10, min: 1, max: 9, count: 3 },
    { start_ns: 2n, end_ns: 3n, is_complete: false, avg: 20, min: 1, max: 9, count: 3 },
  ]);
  expect(requests!.series[0]!.slices).toEqual([]);
});
