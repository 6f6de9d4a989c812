import { expect, it } from 'vitest';
import { RecordRules } from '../../src/rules/record.ts';
import { collectFindings } from '../support/report.ts';

const NS = 1_772_000_000_000_000_000n;
const createRecord = (change: object = {}) => ({
  endpoint_url: 'http://a/metrics',
  timestamp_ns: NS,
  endpoint_latency_ns: 1000n,
  metrics: {},
  ...change,
});

it.each([
  ['accepts a record', createRecord({ request_sent_ns: NS - 1000n, first_byte_ns: NS }), []],
  [
    'reports a response before its request',
    createRecord({ request_sent_ns: NS + 1n, first_byte_ns: NS }),
    [`record-times .first_byte_ns: is ${NS}, before request_sent_ns (${NS + 1n})`],
  ],
  [
    'reports a negative latency',
    createRecord({ endpoint_latency_ns: -1n }),
    ['record-times .endpoint_latency_ns: is -1; a latency must not be negative'],
  ],
  [
    'reports an _info family',
    createRecord({ metrics: { build_info: [{ labels: { version: '1' }, value: 1 }] } }),
    [
      'record-info .metrics.build_info: is an _info family; such families never change and are omitted from this file',
    ],
  ],
  [
    'reports inconsistent buckets',
    createRecord({ metrics: { h: [{ buckets: { '+Inf': 1 }, sum: 1, count: 2 }] } }),
    [
      'buckets-count .metrics.h[0].buckets["+Inf"]: is 1, but count is 2; the "+Inf" bucket must count every observation',
    ],
  ],
  [
    'reports a repeated label set',
    createRecord({ metrics: { g: [{ value: 1 }, { value: 2 }] } }),
    ['labels-repeated .metrics.g[1]: has the same labels as [0]; a label set must occur once'],
  ],
])('%s', (_, line, expected) => {
  expect(collectFindings(report => new RecordRules().check(report, line))).toEqual(expected);
});

it('checks the order of the records of each endpoint separately', () => {
  const rules = new RecordRules();
  const lines = [
    createRecord(),
    createRecord({ endpoint_url: 'http://b/metrics', timestamp_ns: NS - 5n }),
    createRecord({ timestamp_ns: NS - 1n }),
  ];
  const findings = collectFindings(report => {
    for (const line of lines) rules.check(report, line);
  });
  expect(findings).toEqual([
    `record-order .timestamp_ns: is ${NS - 1n}, before the previous record of http://a/metrics (${NS})`,
  ]);
});
