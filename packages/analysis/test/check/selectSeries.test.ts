import { expect, test } from 'vitest';
import { ExpressionError } from '../../src/check/expression.ts';
import { formatSeries } from '../../src/check/selectSeries.ts';
import { listSeries } from '../../src/run/run.ts';
import { evaluateRule, evaluateUnknown, run, type UnknownCase } from './runs.ts';

test.each<[string, boolean]>([
  ['vllm:request_success{finished_reason=~"st.*"}.total == 50', true],
  ['vllm:request_success{finished_reason!~"st.*"}.total == 50', true],
  ['vllm:request_success{finished_reason!="stop"}.total == 50', true],
  ['vllm:request_success{finished_reason=~"st"}.total == 50 or true_is_not_a_word.avg > 1 or 1 == 1', true],
  ['endpoint:b{endpoint_url="down:1"}.avg == 3', true],
  ['endpoint:b{endpoint_url=~"http://local.*"}.avg == 1', true],
])('%s is %s', (text, expected) => {
  expect(evaluateRule(text)).toBe(expected);
});

test.each<UnknownCase>([
  ['nope.avg < 5', /no metric nope/, 'nope'],
  ['not nope.avg < 5', /no metric nope/, 'nope'],
  ['vllm:num_preemptions_total.total == 0', /exported without _total: vllm:num_preemptions/, 'vllm'],
  ['e2e_request_latency_seconds.avg < 1', /did you mean vllm:e2e_request_latency_seconds/, 'e2e'],
  ['constructor.avg > 1', /no metric constructor/, 'constructor'],
])('cannot evaluate %s', (text, expectedReason, prefix) => {
  const [reason, textFromOffset] = evaluateUnknown(text);
  expect(reason).toMatch(expectedReason);
  expect(textFromOffset.startsWith(prefix)).toBe(true);
});

test('throws for an invalid regular expression', () => {
  expect(() => evaluateRule('vllm:request_success{finished_reason=~"("}.total > 1')).toThrow(ExpressionError);
});

test('formats series by name, labels and endpoint', () => {
  const [tokens, success] = [...listSeries(run)];
  expect([formatSeries(tokens!), formatSeries(success!)]).toEqual([
    'vllm:generation_tokens of localhost:8000',
    'vllm:request_success{finished_reason="stop"} of localhost:8000',
  ]);
  expect(formatSeries({ ...tokens!, type: 'client' })).toBe('vllm:generation_tokens');
});
