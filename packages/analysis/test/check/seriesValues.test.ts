import { expect, test } from 'vitest';
import { evaluateRule, evaluateUnknown, type UnknownCase } from './runs.ts';

test.each<[string, boolean]>([
  ['increase(vllm:num_preemptions) == 7', true],
  ['increase(vllm:e2e_request_latency_seconds) == 100', true],
  ['sum(increase(vllm:request_success)) == 100', true],
  ['count(vllm:request_success) == 2', true],
  ['count(nope) == 0', true],
])('%s is %s', (text, expected) => {
  expect(evaluateRule(text)).toBe(expected);
});

test.each<UnknownCase>([
  ['increase(nope) == 0', /no metric nope/, 'nope'],
  ['increase(other:nothing) == 0', /is a gauge; increase\(\) takes counters and histograms/, 'other'],
  ['vllm:generation_tokens.p99 < 1', /no statistic p99 in .*; expected one of total, rate/, 'vllm'],
  ['vllm:generation_tokens < 1', /choose one of total, rate/, 'vllm'],
  ['vllm:time_to_first_token_seconds.p99_estimate < 1', /the series has no observations in the run/, 'vllm'],
  [
    'vllm:request_success.total > 1',
    /2 series of .*finished_reason="stop".*aggregate with sum\(\), avg\(\), min\(\) or max\(\)/,
    'vllm',
  ],
  [
    'vllm:request_success{finished_reason="x"}.total > 1',
    /with these labels; existing series: .*finished_reason="stop"/,
    'vllm',
  ],
  ['vllm:generation_tokens.constructor > 1', /no statistic constructor in/, 'vllm'],
])('cannot evaluate %s', (text, expectedReason, prefix) => {
  const [reason, textFromOffset] = evaluateUnknown(text);
  expect(reason).toMatch(expectedReason);
  expect(textFromOffset.startsWith(prefix)).toBe(true);
});
