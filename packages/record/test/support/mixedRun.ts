import type { EndpointRecord, RunRecord } from '../../src/runRecord.ts';
import { endpointRecord, runRecord } from './runRecord.ts';

const h = (sum: number, count: number) => ({
  sum,
  count,
  buckets: { '1': Math.min(count, 2), '+Inf': count },
});
/** Series of all types; the counter falls in the last scrape. */
export const endpoint: EndpointRecord = endpointRecord(
  'http://a:1/metrics',
  { c: 'counter', g: 'gauge', h: 'histogram', x_info: 'gauge' },
  [
    [0, { c: 5, g: 1, h: h(1, 1), x_info: 1 }],
    [1, { c: 7, g: 2, h: h(2, 2), x_info: 1 }],
    [2, { c: 7, g: 2, h: h(2, 2), x_info: 1 }],
    [3, { c: 9, g: 4, h: h(9, 6), x_info: 1 }],
    [4, { c: 1, g: 8, h: h(9, 6), x_info: 1 }],
  ],
);
const other = endpointRecord('http://b:1/metrics', { g: 'gauge' }, [
  [0.5, { g: 3 }],
  [2.5, { g: 4 }],
]);
/** Two endpoints, profiling from second 1 to second 3. */
export const mixedRun: RunRecord = runRecord([endpoint, other], 1, 3);
