import type { EndpointRecord, RunRecord } from '../../src/runRecord.ts';
import { createEndpointRecord, createRunRecord } from './runRecord.ts';

const createHistogram = (sum: number, count: number) => ({
  sum,
  count,
  buckets: { '1': Math.min(count, 2), '+Inf': count },
});
/** A counter, a gauge, a histogram and an info gauge. The counter is reset before the last scrape. */
export const endpoint: EndpointRecord = createEndpointRecord(
  'http://a:1/metrics',
  { c: 'counter', g: 'gauge', h: 'histogram', x_info: 'gauge' },
  [
    [0, { c: 5, g: 1, h: createHistogram(1, 1), x_info: 1 }],
    [1, { c: 7, g: 2, h: createHistogram(2, 2), x_info: 1 }],
    [2, { c: 7, g: 2, h: createHistogram(2, 2), x_info: 1 }],
    [3, { c: 9, g: 4, h: createHistogram(9, 6), x_info: 1 }],
    [4, { c: 1, g: 8, h: createHistogram(9, 6), x_info: 1 }],
  ],
);
const secondEndpoint = createEndpointRecord('http://b:1/metrics', { g: 'gauge' }, [
  [0.5, { g: 3 }],
  [2.5, { g: 4 }],
]);
/** A run on two endpoints with profiling from second 1 to second 3. */
export const mixedRun: RunRecord = createRunRecord([endpoint, secondEndpoint], 1, 3);
