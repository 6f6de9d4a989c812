import { uncompress } from 'snappyjs';
import { expect, test } from 'vitest';
import type { Reply } from '../../src/protocols/protocol.ts';
import { RemoteWrite } from '../../src/protocols/remoteWrite.ts';
import { COUNTER_FAMILY, createBatch, createEnd, HISTOGRAM_FAMILY } from '../support/batches.ts';
import { decodeWrite, listSeries, listSymbolSeries } from '../support/decode.ts';

const batch = createBatch(7, [...createBatch().families, COUNTER_FAMILY, HISTOGRAM_FAMILY]);
const COMMON =
  'gen_ai_request_model="m",instance="run-1",job="servelens",phase="profiling",run_id="run-1",team="search"';
const BUCKETS = COMMON.replace(',phase', ',LE,phase');
const SERIES = [
  `servelens_client_requests_in_flight{${COMMON}} 7 @1005000`,
  `servelens_client_requests_total{${COMMON.replace(',phase', ',outcome="succeeded",phase')}} 12 @1005000`,
  ...[
    ['0.5', 1],
    ['1', 2],
    ['+Inf', 3],
  ].map(
    ([le, count]) =>
      `gen_ai_client_operation_duration_seconds_bucket{${BUCKETS.replace('LE', `le="${le}"`)}} ${count} @1005000`,
  ),
  `gen_ai_client_operation_duration_seconds_sum{${COMMON}} 4.25 @1005000`,
  `gen_ai_client_operation_duration_seconds_count{${COMMON}} 3 @1005000`,
];

const reply = (status: number, written?: string): Reply => ({
  status,
  headers: { 'x-prometheus-remote-write-samples-written': written },
  body: Buffer.from('why\n'),
});

/** Returns an instance whose receiver supports only 1.0. */
function createOlder(): RemoteWrite {
  const protocol = new RemoteWrite();
  protocol.judge(reply(415), batch);
  return protocol;
}

test('encodes the message of version 2.0, which contains each string once', () => {
  const { body, headers } = new RemoteWrite().encode(batch);
  expect(headers).toEqual({
    'content-encoding': 'snappy',
    'content-type': 'application/x-protobuf;proto=io.prometheus.write.v2.Request',
    'x-prometheus-remote-write-version': '2.0.0',
  });
  const message = decodeWrite('Request', body);
  expect(message.symbols[0]).toBe('');
  expect(new Set(message.symbols).size).toBe(message.symbols.length);
  expect(listSymbolSeries(message)).toEqual(SERIES);
  const [gauge, counter, bucket] = message.timeseries;
  expect([gauge, counter, bucket].map(({ metadata }) => metadata.type)).toEqual([2, 1, 3]);
  expect(message.symbols[counter.metadata.help_ref]).toBe('Requests that ended, by outcome');
  expect(message.symbols[bucket.metadata.unit_ref]).toBe('seconds');
  expect([gauge, counter].map(series => Number(series.created_timestamp ?? 0))).toEqual([0, 1_000_000]);
  expect([gauge, counter].map(({ samples }) => Number(samples[0].start_timestamp ?? 0))).toEqual([
    0, 1_000_000,
  ]);
});

test('encodes the message of version 1.0', () => {
  const { body, headers } = createOlder().encode(batch);
  expect(headers).toEqual({
    'content-encoding': 'snappy',
    'content-type': 'application/x-protobuf',
    'x-prometheus-remote-write-version': '0.1.0',
  });
  const message = decodeWrite('WriteRequest', body);
  expect(listSeries(message)).toEqual(SERIES);
  expect(
    message.metadata.map(
      ({ type, metric_family_name: name }: { type: number; metric_family_name: string }) => `${name} ${type}`,
    ),
  ).toEqual([
    'servelens_client_requests_in_flight 2',
    'servelens_client_requests_total 1',
    'gen_ai_client_operation_duration_seconds 3',
  ]);
});

test.each([
  ['2.0', 'Request', () => new RemoteWrite()],
  ['1.0', 'WriteRequest', createOlder],
] as const)(
  'version %s: series that have ended have the stale marker of Prometheus as value',
  (_, type, create) => {
    const { timeseries } = decodeWrite(type, create().encode(createEnd(batch)).body);
    expect(timeseries).toHaveLength(SERIES.length);
    // The decoder loses the bits of a NaN, so that they are searched in the bytes: field 1 (64 bits), then the value.
    const marker = Buffer.from('09020000000000f07f', 'hex');
    const bytes = Buffer.from(uncompress(create().encode(createEnd(batch)).body));
    expect(bytes.toString('latin1').split(marker.toString('latin1'))).toHaveLength(SERIES.length + 1);
  },
);

test.each([0, -0, 1, 0.1, -2.5, 1e-310, 1.7e308, Number.POSITIVE_INFINITY, 2 ** 53])(
  'encodes the value %s exactly',
  value => {
    const { timeseries } = decodeWrite('Request', new RemoteWrite().encode(createBatch(value)).body);
    // Protobuf omits a 0.
    expect(timeseries[0].samples[0].value ?? 0).toBe(value);
  },
);

test('a receiver of 1.0 that ignores the content type decodes the message of 2.0 as empty', () => {
  const { body } = new RemoteWrite().encode(batch);
  expect(decodeWrite('WriteRequest', body)).toEqual({ timeseries: [], metadata: [] });
});

test.each([
  ['responds with 415', [reply(415)], '1.0'],
  ['does not count samples', [reply(204)], '1.0'],
  ['counts samples', [reply(204, '7')], '2.0'],
  ['counts no samples', [reply(204, '0')], '2.0'],
  ['is overloaded', [reply(503)], '2.0'],
  ['rejects samples', [reply(400)], '2.0'],
  ['has counted samples before', [reply(204, '7'), reply(204)], '2.0'],
])('a receiver that %s gets version %3$s', (_, replies, version) => {
  const protocol = new RemoteWrite();
  for (const one of replies) protocol.judge(one, batch);
  expect(protocol.version).toBe(version);
});

test.each([
  ['2.0', reply(204, '7'), { kind: 'accepted', rejected: 0 }],
  ['2.0', reply(204, '5'), { kind: 'accepted', rejected: 2, message: 'HTTP 204: why' }],
  ['2.0', reply(400, '6'), { kind: 'rejected', rejected: 1, message: 'HTTP 400: why' }],
  ['2.0', reply(400), { kind: 'rejected', rejected: 3, message: 'HTTP 400: why' }],
  ['2.0', reply(204), { kind: 'other_version' }],
  ['1.0', reply(204), { kind: 'accepted', rejected: 0 }],
  ['1.0', reply(400), { kind: 'rejected', rejected: 3, message: 'HTTP 400: why' }],
  ['1.0', reply(415), { kind: 'rejected', rejected: 3, message: 'HTTP 415: why' }],
  ['1.0', reply(500), { kind: 'retry', message: 'HTTP 500: why' }],
  ['1.0', reply(429), { kind: 'retry', message: 'HTTP 429: why' }],
])('version %s: %o', (version, response, expected) => {
  const protocol = version === '1.0' ? createOlder() : new RemoteWrite();
  expect(protocol.judge(response, batch)).toEqual(expected);
});
