import { expect, test } from 'vitest';
import { evaluate } from '../../src/check/evaluate.ts';
import { parseExpression } from '../../src/check/parseExpression.ts';
import { evaluateRule, evaluateUnknown, run, type UnknownCase } from './runs.ts';

test.each<[string, boolean]>([
  ['vllm:e2e_request_latency_seconds{model_name="x"}.p99_estimate < 8', true],
  ['vllm:e2e_request_latency_seconds.p99_estimate < 5s', false],
  ['vllm:num_preemptions.total == 0', false],
  ['vllm:num_preemptions.total == 7', true],
  ['1 == 2 or not 1 == 2', true],
  // One side determines the result, so the other side may be unknown.
  ['1 == 2 and nope.avg > 1', false],
  ['nope.avg > 1 and 1 == 2', false],
  ['nope.avg > 1 or 1 == 1', true],
  ['present(vllm:generation_tokens)', true],
  ['present(vllm:generation_tokens.rate)', true],
  ['present(vllm:generation_tokens.p99)', false],
  ['absent(vllm:nothing)', true],
  ['present(vllm:request_success{finished_reason="abort"})', false],
])('%s is %s', (text, expected) => {
  expect(evaluateRule(text)).toBe(expected);
});

test.each<UnknownCase>([
  ['nope.avg < 5 or 1 == 2', /no metric nope/, 'nope'],
  ['1 == 1 and nope.avg < 5', /no metric nope/, 'nope'],
  ['not nope.avg < 5', /no metric nope/, 'nope'],
])('cannot evaluate %s', (text, expectedReason, prefix) => {
  const [reason, textFromOffset] = evaluateUnknown(text);
  expect(reason).toMatch(expectedReason);
  expect(textFromOffset.startsWith(prefix)).toBe(true);
});

test.each([
  ['1 < 2', '2 < 1'],
  ['1 <= 1', '2 <= 1'],
  ['2 > 1', '1 > 1'],
  ['1 >= 1', '1 >= 2'],
  ['1 == 1', '1 == 2'],
  ['1 != 2', '1 != 1'],
])('%s holds, %s does not', (holding, failing) => {
  expect([evaluateRule(holding), evaluateRule(failing)]).toEqual([true, false]);
});

test.each([
  [
    'vllm:e2e_request_latency_seconds.avg < 1500ms and 1 == 1',
    ['found 2 seconds, required < 1.5 seconds', 'found 1, required == 1'],
  ],
  ['0.1 + 0.2 == 0.3', ['found 0.3, required == 0.3']],
  ['0.1000001 == 0.1', ['found 0.1000001, required == 0.1']],
  ['1500ms > vllm:e2e_request_latency_seconds.avg', ['found 2000 ms, required < 1500 ms']],
  ['not vllm:e2e_request_latency_seconds.avg > 1500ms', ['found 2 seconds, required <= 1.5 seconds']],
  ['vllm:request_success{finished_reason="stop"}.total < 1', ['found 50 requests, required < 1 requests']],
  ['absent(nope) or present(vllm:request_success)', ['nope is absent', '2 series of vllm:request_success']],
])('records the compared values of %s', (text, comparisons) => {
  expect(evaluate(parseExpression(text), text, run).comparisons).toEqual(comparisons);
});
