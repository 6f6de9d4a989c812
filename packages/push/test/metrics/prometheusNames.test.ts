import { expect, test } from 'vitest';
import { METRICS } from '../../src/metrics/definition.ts';
import { toLabelName, toPrometheusLabels, toPrometheusName } from '../../src/metrics/prometheusNames.ts';

test.each([
  ['gen_ai.client.operation.duration', 'histogram', 's', 'gen_ai_client_operation_duration_seconds'],
  ['gen_ai.client.token.usage', 'histogram', '{token}', 'gen_ai_client_token_usage'],
  ['servelens.client.requests', 'counter', '{request}', 'servelens_client_requests_total'],
  ['servelens.server.kv_cache.usage', 'gauge', '1', 'servelens_server_kv_cache_usage_ratio'],
  ['servelens.server.requests', 'gauge', '{request}/s', 'servelens_server_requests_per_second'],
  ['servelens.run.info', 'gauge', '', 'servelens_run_info'],
] as const)('%s is named as in Prometheus’ translation of OpenTelemetry', (name, kind, unit, expected) => {
  expect(toPrometheusName({ name, kind, unit, description: '' })).toBe(expected);
});

test('all metrics have different names, of a valid form', () => {
  const names = Object.values(METRICS).map(toPrometheusName);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter(name => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
});

test.each([
  ['gen_ai.request.model', 'gen_ai_request_model'],
  ['k8s.pod-name', 'k8s_pod_name'],
  ['9lives', '_9lives'],
])('the label of the attribute %s is %s', (name, expected) => {
  expect(toLabelName(name)).toBe(expected);
});

test('labels without a value are left out, and the last of two labels with the same name applies', () => {
  expect(toPrometheusLabels({ empty: '', 'a.b': 'first', a_b: 'last' })).toEqual([['a_b', 'last']]);
});
