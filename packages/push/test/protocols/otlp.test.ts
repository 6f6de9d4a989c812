import { expect, test } from 'vitest';
import { Otlp } from '../../src/protocols/otlp.ts';
import { COUNTER_FAMILY, createBatch, createEnd, HISTOGRAM_FAMILY } from '../support/batches.ts';
import { decode, encode, type Message, readAttributes } from '../support/decode.ts';

const batch = createBatch(7, [...createBatch().families, COUNTER_FAMILY, HISTOGRAM_FAMILY]);
const COMMON = { team: 'search', 'gen_ai.request.model': 'm', run_id: 'run-1', phase: 'profiling' };
const TIMES = { start_time_unix_nano: 1000e9, time_unix_nano: 1005e9 };

test('encodes gauges, counters and histograms, with the run as a resource', () => {
  const { body, headers } = new Otlp('protobuf').encode(batch);
  expect(headers).toEqual({ 'content-type': 'application/x-protobuf' });
  const [{ resource, scope_metrics: scopes }] = decode('ExportMetricsServiceRequest', body).resource_metrics;
  expect(readAttributes(resource.attributes)).toEqual({
    team: 'search',
    'service.name': 'servelens',
    'service.version': '1.2.3',
    'service.instance.id': 'run-1',
  });
  const [gauge, counter, histogram]: Message[] = scopes[0].metrics;
  expect(gauge).toMatchObject({ name: 'servelens.client.requests.in_flight', unit: '{request}' });
  expect(gauge.gauge.data_points[0]).toMatchObject({ ...TIMES, as_double: 7 });
  expect(readAttributes(gauge.gauge.data_points[0].attributes)).toEqual(COMMON);
  expect(counter.sum).toMatchObject({ is_monotonic: true, aggregation_temporality: 2 });
  expect(counter.sum.data_points[0].as_double).toBe(12);
  expect(histogram.histogram).toMatchObject({
    aggregation_temporality: 2,
    data_points: [{ ...TIMES, count: 3, sum: 4.25, bucket_counts: [1, 1, 1], explicit_bounds: [0.5, 1] }],
  });
});

test('encodes the same values as JSON', () => {
  const { body, headers } = new Otlp('json').encode(batch);
  expect(headers).toEqual({ 'content-type': 'application/json' });
  const [{ scopeMetrics }] = JSON.parse(new TextDecoder().decode(body)).resourceMetrics;
  expect(scopeMetrics[0].metrics.map(({ name }: Message) => name)).toEqual([
    'servelens.client.requests.in_flight',
    'servelens.client.requests',
    'gen_ai.client.operation.duration',
  ]);
  expect(scopeMetrics[0].metrics[0].gauge.dataPoints[0].asDouble).toBe(7);
});

/** A time that is no whole number of milliseconds as a double of nanoseconds. */
const END = { ...createEnd(batch), timeMs: 1_764_343_713_123 };

test('series that have ended are points without a value', () => {
  const { body, headers } = new Otlp('protobuf').encode(END);
  expect(headers).toEqual({ 'content-type': 'application/x-protobuf' });
  const [{ resource, scope_metrics: scopes }] = decode('ExportMetricsServiceRequest', body).resource_metrics;
  expect(readAttributes(resource.attributes)).toMatchObject({ 'service.instance.id': 'run-1' });
  expect(scopes[0].scope).toEqual({ name: '@servelens/push', version: '1.2.3' });
  const [gauge, counter, histogram]: Message[] = scopes[0].metrics;
  expect(gauge).toMatchObject({ name: 'servelens.client.requests.in_flight', unit: '{request}' });
  const point = {
    start_time_unix_nano: 1000e9,
    time_unix_nano: Number(1_764_343_713_123_000_000n),
    flags: 1,
  };
  const { attributes, ...rest } = gauge.gauge.data_points[0];
  expect(rest).toEqual(point);
  expect(readAttributes(attributes)).toEqual(COMMON);
  expect(counter.sum).toMatchObject({ is_monotonic: true, aggregation_temporality: 2, data_points: [point] });
  expect(counter.sum.data_points[0]).not.toHaveProperty('as_double');
  expect(histogram.histogram).toMatchObject({
    aggregation_temporality: 2,
    data_points: [{ ...point, sum: 0, bucket_counts: [0, 0, 0], explicit_bounds: [0.5, 1] }],
  });
});

test('the end of series is encoded as the official serializer encodes their values, except for value and flag', () => {
  const decodeMetrics = (one: typeof batch): Message =>
    decode('ExportMetricsServiceRequest', new Otlp('protobuf').encode(one).body).resource_metrics[0];
  const { scope_metrics: values, resource } = decodeMetrics({ ...END, isEnd: false });
  const { scope_metrics: ends, resource: endResource } = decodeMetrics(END);
  expect(endResource).toEqual(resource);
  const describe = (scopes: Message): Message =>
    scopes[0].metrics.map(({ name, description, unit, gauge, sum, histogram }: Message) => {
      const { attributes, start_time_unix_nano, time_unix_nano } = (gauge ?? sum ?? histogram).data_points[0];
      return { name, description, unit, attributes, start_time_unix_nano, time_unix_nano };
    });
  expect(describe(ends)).toEqual(describe(values));
});

test('series that have ended are points without a value in JSON', () => {
  const { body, headers } = new Otlp('json').encode(END);
  expect(headers).toEqual({ 'content-type': 'application/json' });
  const [{ scopeMetrics }] = JSON.parse(new TextDecoder().decode(body)).resourceMetrics;
  const [gauge, counter, histogram]: Message[] = scopeMetrics[0].metrics;
  expect(gauge.gauge.dataPoints[0]).toMatchObject({ flags: 1, timeUnixNano: '1764343713123000000' });
  expect(gauge.gauge.dataPoints[0]).not.toHaveProperty('asDouble');
  expect(counter.sum.dataPoints[0]).toMatchObject({ flags: 1 });
  expect(histogram.histogram.dataPoints[0]).toMatchObject({ flags: 1, count: 0, bucketCounts: [0, 0, 0] });
});

const NONE = new Uint8Array();
const PARTIAL = encode('ExportMetricsServiceResponse', {
  partial_success: { rejected_data_points: 2, error_message: 'too old' },
});

test.each([
  [200, NONE, { kind: 'accepted', rejected: 0 }],
  [200, PARTIAL, { kind: 'accepted', rejected: 2, message: 'too old' }],
  [200, Buffer.from('<html>'), { kind: 'accepted', rejected: 0 }],
  [429, NONE, { kind: 'retry', message: 'HTTP 429' }],
  [503, NONE, { kind: 'retry', message: 'HTTP 503' }],
  [500, NONE, { kind: 'rejected', rejected: 3, message: 'HTTP 500' }],
  [400, Buffer.from('bad\nrequest'), { kind: 'rejected', rejected: 3, message: 'HTTP 400: bad' }],
  [401, Buffer.from([0, 1, 2]), { kind: 'rejected', rejected: 3, message: 'HTTP 401' }],
])('status %i with the body %s', (status, body, expected) => {
  expect(new Otlp('protobuf').judge({ status, headers: {}, body }, batch)).toEqual(expected);
});

test('reads the rejected points of a response in JSON', () => {
  const body = Buffer.from('{"partialSuccess":{"rejectedDataPoints":"1","errorMessage":"no"}}');
  const verdict = new Otlp('json').judge({ status: 200, headers: {}, body }, batch);
  expect(verdict).toEqual({ kind: 'accepted', rejected: 1, message: 'no' });
});
