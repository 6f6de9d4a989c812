import { expect, test } from 'vitest';
import { ExpressionError } from '../../src/check/expression.ts';
import { formatSeries } from '../../src/check/selectSeries.ts';
import { createRunFromView, listSeries } from '../../src/run/run.ts';
import { createDocument, createGauge, createMetric, healthyInfo, URL_A, URL_B } from '../documents.ts';
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

test.each<[string, boolean]>([
  ['g{pod="vllm-0"}.avg == 1', true],
  ['g{pod=~"vllm-.*", role="decode"}.avg == 3', true],
  ['g{pod!="vllm-0"}.avg == 3', true],
  // Labels of the series take precedence over labels of the target of the same name.
  ['g{node="own"}.avg == 3', true],
  ['g{target.node="n2"}.avg == 3', true],
  ['count(g{zone=""}) == 2', true],
])('with labels of targets, %s is %s', (text, expected) => {
  const series = [createGauge(1), createGauge(3, { url: URL_B, labels: { node: 'own' } })];
  const labelled = createRunFromView(
    createDocument(
      { g: createMetric('gauge', series) },
      {
        [URL_A]: { ...healthyInfo, labels: { pod: 'vllm-0', role: 'prefill', node: 'n1' } },
        [URL_B]: { ...healthyInfo, labels: { pod: 'vllm-1', role: 'decode', node: 'n2' } },
      },
    ),
  );
  expect(evaluateRule(text, labelled)).toBe(expected);
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
