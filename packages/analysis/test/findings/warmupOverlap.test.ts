import { expect, test } from 'vitest';
import { createHistogram, createMetric } from '../documents.ts';
import { findById, type Metrics } from './runs.ts';

/** Creates 80 requests in two slices of 2 s each; `early` requests of the first slice take more than 4 s. */
function createLatencies(early: number, unit?: string): Metrics {
  const latency = createHistogram(80, 2, { slices: [2, 2] }) as { timeslices: { buckets: object }[] };
  latency.timeslices[0]!.buckets = { '1': 0, '4': 40 - early, '16': 40, '+Inf': 40 };
  latency.timeslices[1]!.buckets = { '1': 30, '4': 40, '16': 40, '+Inf': 40 };
  return { 'vllm:e2e_request_latency_seconds': createMetric('histogram', [latency], unit) };
}

test('counts requests whose latency exceeds the time since the start of profiling', () => {
  // The first slice ends after 2 s; 4 s is the lowest bucket bound of at least 2 s.
  const finding = findById('warmup-overlap', createLatencies(30, 'seconds'));
  expect(finding?.evidence).toEqual([
    {
      endpoint: 'localhost:8000',
      text: 'at least 30 of 80 requests (37.5%) started before profiling',
      numbers: { early: 30, requests: 80 },
      magnitude: 30 / 80,
    },
  ]);
});

test.each<[string, Metrics]>([
  ['at most 2% of the requests are early', createLatencies(1, 'seconds')],
  ['the unit of latencies is unknown', createLatencies(30)],
  [
    'there are no slices',
    { 'vllm:e2e_request_latency_seconds': createMetric('histogram', [createHistogram(80, 2)], 'seconds') },
  ],
])('reports no overlap if %s', (_, metrics) => {
  expect(findById('warmup-overlap', metrics)).toBeUndefined();
});
