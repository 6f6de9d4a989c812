import { expect, test } from 'vitest';
import { computeRequestMetrics } from '../../src/metrics/requestMetrics.ts';
import { createRecord } from '../support/record.ts';

test.each([
  ['http_req_blocked', 1, 'ms'],
  ['http_req_dns_lookup', 2, 'ms'],
  ['http_req_connecting', 3, 'ms'],
  ['http_req_sending', 1, 'ms'],
  ['http_req_waiting', 20, 'ms'],
  ['http_req_receiving', 65, 'ms'],
  ['http_req_duration', 86, 'ms'],
  ['http_req_connection_overhead', 6, 'ms'],
  ['http_req_total', 92, 'ms'],
  ['http_req_data_sent', 2, 'KB'],
  ['http_req_data_received', 4, 'KB'],
  ['http_req_chunks_sent', 1, 'count'],
  ['http_req_chunks_received', 4, 'count'],
  ['http_req_connection_reused', 0, 'ratio'],
])('computes %s', (tag, value, unit) => {
  const measured = computeRequestMetrics(createRecord())[tag]!;
  expect(measured.value).toBeCloseTo(value, 9);
  expect(measured.unit).toBe(unit);
});

test('a reused connection takes 0 ms to look up and connect', () => {
  const { trace } = createRecord();
  const unconnected = {
    lookupStartNs: undefined,
    lookupEndNs: undefined,
    connectStartNs: undefined,
    connectEndNs: undefined,
  };
  const record = createRecord({ connectionReused: true, trace: { ...trace, ...unconnected } });
  expect(computeRequestMetrics(record)).toMatchObject({
    http_req_dns_lookup: { value: 0 },
    http_req_connecting: { value: 0 },
    http_req_connection_overhead: { value: 1 },
    http_req_connection_reused: { value: 1 },
  });
});

test('a step that did not happen has no duration, and a sum with this step is omitted', () => {
  const { trace } = createRecord();
  const metrics = computeRequestMetrics(createRecord({ trace: { ...trace, firstByteNs: undefined } }));
  for (const tag of ['http_req_waiting', 'http_req_receiving', 'http_req_total'])
    expect(metrics).not.toHaveProperty(tag);
  expect(metrics.http_req_sending!.value).toBe(1);
});

test('waiting takes 0 ms if the timestamp of the response is before the end of sending', () => {
  const { trace } = createRecord();
  const record = createRecord({ trace: { ...trace, firstByteNs: trace.sendEndNs! - 1e6 } });
  expect(computeRequestMetrics(record).http_req_waiting!.value).toBe(0);
});
