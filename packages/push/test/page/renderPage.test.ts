import { expect, test } from 'vitest';
import { renderPage } from '../../src/page/renderPage.ts';
import { COUNTER_FAMILY, createBatch, HISTOGRAM_FAMILY } from '../support/batches.ts';

const base = createBatch(7, [COUNTER_FAMILY, HISTOGRAM_FAMILY]);
const batch = { ...base, run: { ...base.run, labels: {}, userLabels: { note: 'a "b"\\\n' } } };
const COMMON = 'note="a \\"b\\"\\\\\\n"';

test('Prometheus’ text format', () => {
  expect(
    renderPage(batch, 'prometheus'),
  ).toBe(`# HELP servelens_client_requests_total Requests that ended, by outcome
# TYPE servelens_client_requests_total counter
servelens_client_requests_total{${COMMON},outcome="succeeded",phase="profiling",run_id="run-1"} 12
# HELP gen_ai_client_operation_duration_seconds Duration of successful requests
# TYPE gen_ai_client_operation_duration_seconds histogram
gen_ai_client_operation_duration_seconds_bucket{le="0.5",${COMMON},phase="profiling",run_id="run-1"} 1
gen_ai_client_operation_duration_seconds_bucket{le="1",${COMMON},phase="profiling",run_id="run-1"} 2
gen_ai_client_operation_duration_seconds_bucket{le="+Inf",${COMMON},phase="profiling",run_id="run-1"} 3
gen_ai_client_operation_duration_seconds_sum{${COMMON},phase="profiling",run_id="run-1"} 4.25
gen_ai_client_operation_duration_seconds_count{${COMMON},phase="profiling",run_id="run-1"} 3
`);
});

test('OpenMetrics has other names of counters, units, and an end', () => {
  const lines = renderPage(batch, 'openmetrics').split('\n');
  expect(lines).toContain('# TYPE servelens_client_requests counter');
  expect(lines).toContain('# UNIT gen_ai_client_operation_duration_seconds seconds');
  expect(lines.some(line => line.includes('le="1.0"'))).toBe(true);
  expect(lines.at(-2)).toBe('# EOF');
});

test.each([
  ['openmetrics', '# EOF\n'],
  ['prometheus', ''],
] as const)('a run without values has an empty page in the format %s', (format, page) => {
  expect(renderPage(undefined, format)).toBe(page);
});

test.each([
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
])('the value %d is written as %s', (value, text) => {
  expect(renderPage(createBatch(value), 'prometheus').trimEnd().split(' ').at(-1)).toBe(text);
});
