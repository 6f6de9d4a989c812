import { expect, test } from 'vitest';
import { isRunTotal, type MetricKind } from '../../../src/compare/noise/runTotal.ts';

test.each<[string, MetricKind['type'], string | null, string, boolean]>([
  ['vllm:generation_tokens', 'counter', 'tokens', 'total', true],
  ['vllm:generation_tokens', 'counter', 'tokens', 'rate', false],
  ['vllm:e2e_request_latency_seconds', 'histogram', 'seconds', 'count', true],
  ['request_count', 'client', 'requests', 'avg', true],
  ['error_request_count', 'client', 'requests', 'avg', true],
  ['total_osl', 'client', 'tokens', 'avg', true],
  ['total_token_throughput', 'client', 'tokens/sec', 'avg', false],
  ['output_token_count', 'client', 'tokens', 'avg', false],
  ['request_throughput', 'client', 'requests/sec', 'avg', false],
])('reports whether %s (%s, %s) %s adds up over the run', (name, type, unit, stat, expected) => {
  expect(isRunTotal({ name, type, unit }, stat)).toBe(expected);
});
