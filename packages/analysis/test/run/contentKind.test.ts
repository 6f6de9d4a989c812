import { expect, test } from 'vitest';
import { isProfile, isRecord, isRequest, isRunSet } from '../../src/run/contentKind.ts';

const DETECTORS = { isProfile, isRecord, isRequest, isRunSet };

test.each<[string, string, (keyof typeof DETECTORS)[]]>([
  [
    'server metrics as JSON',
    '{"schema_version":"1.0","summary":{"endpoints_configured":[]},"metrics":{}}',
    [],
  ],
  ['server metrics as CSV', 'Endpoint,Type,Metric,Unit,avg\n', []],
  ['a profile export as JSON', '{\n  "request_count": {\n    "unit": "requests",', ['isProfile']],
  ['a profile export with a byte order mark', '\uFEFF{"run_info":{}}', ['isProfile']],
  ['a profile export as CSV', 'Metric,avg,min,max\n', ['isProfile']],
  ['an export of a failed run', '{"error_summary":[],"was_cancelled":true}', ['isProfile']],
  ['scrape records', '{"endpoint_url":"http://a/metrics","timestamp_ns":1,"metrics":{}}\n', ['isRecord']],
  ['scrape records without URLs', '{"timestamp_ns":1,"endpoint_latency_ns":2}\n', ['isRecord']],
  ['requests', '{"metadata":{"request_start_ns":1},"metrics":{"a":{"unit":"ms"}}}\n', ['isRequest']],
  [
    'requests with a later record',
    '{"metadata":{"request_end_ns":1}}\n{"timestamp_ns":1,"endpoint_url":""}',
    ['isRequest'],
  ],
  ['aggregates of several runs', '{"aggregation_type":"confidence","metrics":{}}', ['isRunSet']],
  ['an empty file', '', []],
])('detects %s', (_, head, expected) => {
  const detected = Object.entries(DETECTORS).flatMap(([name, detects]) => (detects(head) ? [name] : []));
  expect(detected).toEqual(expected);
});
