import { expect, it } from 'vitest';
import { parseJson } from '../../src/json/parse.ts';
import { writeServerMetricsLine } from '../../src/write.ts';

const record = {
  endpoint_url: 'http://localhost:8000/metrics',
  timestamp_ns: 1763591215220757503n,
  endpoint_latency_ns: 719764167n,
  metrics: Object.fromEntries([
    ['running', [{ value: 12 }, { labels: { a: 'line\nbreak' }, value: Number.NaN }]],
    ['gone', [{ value: Number.POSITIVE_INFINITY }]],
    ['build_info', [{ labels: { version: '1' }, value: 1 }]],
    ['__proto__', [{ value: 1 }]],
    [
      'seconds',
      [{ buckets: { '1': 1498, '10': 1500, '0.01': 145, '+Inf': 1500 }, sum: 32.456, count: 1500 }],
    ],
    ['broken', [{ buckets: { '1': Number.NaN, '+Inf': 1 }, sum: 1, count: 1 }]],
  ]),
  request_sent_ns: 1763591214500993336n,
  first_byte_ns: 1763591215220757503n,
};

it('returns one line with exact times, floats with a fraction and sorted buckets, but without non-finite values and _info families', () => {
  expect(writeServerMetricsLine(record)).toBe(
    '{"endpoint_url":"http://localhost:8000/metrics","timestamp_ns":1763591215220757503,"endpoint_latency_ns":719764167,' +
      '"metrics":{"running":[{"value":12.0}],"__proto__":[{"value":1.0}],' +
      '"seconds":[{"buckets":{"0.01":145.0,"1":1498.0,"10":1500.0,"+Inf":1500.0},"sum":32.456,"count":1500.0}]},' +
      '"request_sent_ns":1763591214500993336,"first_byte_ns":1763591215220757503}',
  );
});

it('escapes line breaks in labels', () => {
  const text = writeServerMetricsLine({
    ...record,
    metrics: { a: [{ labels: { b: '\n\r\u2028' }, value: 1 }] },
  });
  expect(text).not.toMatch(/[\n\r]/);
  expect(parseJson(text).value).toMatchObject({ metrics: { a: [{ labels: { b: '\n\r\u2028' } }] } });
});
