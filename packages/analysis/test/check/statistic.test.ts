import { expect, test } from 'vitest';
import { listStats } from '../../src/check/statistic.ts';
import { evaluateRule, evaluateUnknown, run } from './runs.ts';

test.each([
  ['vllm:e2e_request_latency_seconds', 'p99 == vllm:e2e_request_latency_seconds.p99_estimate'],
  ['vllm:e2e_request_latency_seconds', 'p99 < 8'],
  ['vllm:kv_cache_usage_perc', 'p99 < 1'],
])('%s.%s: percentiles have the same name for all types', (name, rest) => {
  expect(evaluateRule(`${name}.${rest}`)).toBe(true);
});

test.each([
  ['vllm:e2e_request_latency_seconds.p42 < 1', /no statistic p42 in .*; expected one of .*p99_estimate/],
  ['vllm:generation_tokens.p99 < 1', /no statistic p99 in .*; expected one of total, rate/],
  ['vllm:kv_cache_usage_perc.p99_estimate < 1', /no statistic p99_estimate in .*; expected one of .*p99/],
])('%s lists the statistics that exist', (text, message) => {
  expect(evaluateUnknown(text)[0]).toMatch(message);
});

test('lists the statistics of a series', () => {
  expect(listStats(run.families.get('vllm:generation_tokens')!.series[0]!)).toEqual(['total', 'rate']);
});
