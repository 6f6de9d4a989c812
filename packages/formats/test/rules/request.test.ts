import { expect, it } from 'vitest';
import { checkRequest } from '../../src/rules/request.ts';
import { collectFindings } from '../support/report.ts';

const NS = 1_772_000_000_000_000_000n;
const createMilliseconds = (value: number) => ({ value, unit: 'ms' });
const METADATA = {
  request_start_ns: NS,
  request_ack_ns: NS + 100_000_000n,
  request_end_ns: NS + 300_000_000n,
};
const METRICS = {
  request_latency: createMilliseconds(300),
  time_to_first_token: createMilliseconds(100),
  inter_token_latency: createMilliseconds(10),
  output_sequence_length: { value: 21, unit: 'tokens' },
};
const FAILED = { metrics: {}, error: { message: 'timeout' } };

it.each([
  ['accepts a request', {}, []],
  ['accepts a failed request', FAILED, []],
  [
    'accepts a cancelled request',
    { ...FAILED, metadata: { ...METADATA, was_cancelled: true, cancellation_time_ns: NS + 1n } },
    [],
  ],
  [
    'accepts a latency in seconds, with a warning about the unit',
    { metrics: { ...METRICS, request_latency: { value: 0.3, unit: 's' } } },
    ['profile-unit .metrics.request_latency.unit'],
  ],
  [
    'accepts a credit that was issued after the start according to a skewed clock',
    { metadata: { ...METADATA, credit_issued_ns: NS + 5_000_000n } },
    [],
  ],
  [
    'reports an end before the first byte',
    { metadata: { ...METADATA, request_end_ns: NS + 1n }, metrics: { x: createMilliseconds(1) } },
    ['request-times .metadata.request_end_ns'],
  ],
  [
    'reports a cancellation before the start',
    { ...FAILED, metadata: { ...METADATA, cancellation_time_ns: NS - 1n } },
    ['request-times .metadata.cancellation_time_ns'],
  ],
  ['reports a request with neither metrics nor an error', { metrics: {} }, ['request-outcome .metrics']],
  [
    'reports a latency of a failed request',
    { error: { message: 'x' } },
    ['request-outcome .metrics.request_latency'],
  ],
  [
    'reports a cancellation without an error',
    { metadata: { ...METADATA, was_cancelled: true } },
    ['request-cancelled .metadata.was_cancelled'],
  ],
  [
    'reports a metric of the whole run',
    { metrics: { ...METRICS, request_throughput: { value: 1, unit: 'requests/sec' } } },
    ['request-metric .metrics.request_throughput'],
  ],
  [
    'reports a latency that is longer than the request',
    { metrics: { request_latency: createMilliseconds(301) } },
    ['request-latency .metrics.request_latency.value'],
  ],
  [
    'reports a long time after the last content',
    {
      metadata: { ...METADATA, request_end_ns: NS + 1_500_000_000n },
      metrics: { request_latency: createMilliseconds(300) },
    },
    ['request-tail .metrics.request_latency.value'],
  ],
  [
    'reports a first token after the last one',
    { metrics: { request_latency: createMilliseconds(300), time_to_first_token: createMilliseconds(301) } },
    ['request-first-token .metrics.time_to_first_token.value'],
  ],
  [
    'reports an inconsistent inter-token latency',
    { metrics: { ...METRICS, inter_token_latency: createMilliseconds(15) } },
    ['request-formula .metrics.inter_token_latency.value'],
  ],
  [
    'reports trace times that are out of order',
    { trace_data: { dns_lookup_start_ns: NS, dns_lookup_end_ns: NS - 1n } },
    ['trace-times .trace_data.dns_lookup_end_ns'],
  ],
])('%s', (_, change, expected) => {
  const record = { metadata: METADATA, metrics: METRICS, error: null, ...change };
  const findings = collectFindings(report => checkRequest(report, record));
  expect(findings.map(finding => finding.slice(0, finding.indexOf(':')))).toEqual(expected);
});
