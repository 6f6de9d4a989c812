import { describe, expect, test } from 'vitest';
import { createRunFromView } from '../../src/run/run.ts';
import { createDocument } from '../documents.ts';
import { createRuleRun, evaluateRule, evaluateUnknown, run, type UnknownCase } from './runs.ts';

test.each<[string, boolean]>([
  ['vllm:e2e_request_latency_seconds.avg * 2 <= 4000ms', true],
  ['vllm:e2e_request_latency_seconds.avg / other:latency_ms.avg == 8', true],
  ['vllm:e2e_request_latency_seconds.avg - other:latency_ms.avg == 1.75', true],
  ['sum(vllm:request_success.total) == 100', true],
  ['max(vllm:request_success.total) == 50', true],
  ['max(other:latency_ms) == other:latency_ms.max and avg(other:latency_ms) == 250', true],
  ['avg(endpoint:b.avg) == 2 and min(endpoint:b.avg) == 1', true],
  ['abs(-3) == 3 and -(2 - 5) == 3', true],
  ['1 + 2 * 3 == 7 and (1 + 2) * 3 == 9 and 10 - 3 - 2 == 5', true],
])('%s is %s', (text, expected) => {
  expect(evaluateRule(text)).toBe(expected);
});

test.each<UnknownCase>([
  ['a.avg < baseline', /no metric a/, 'a.avg'],
  ['vllm:generation_tokens.rate > baseline', /no baseline; set --baseline/, 'baseline'],
  ['other:nothing.avg < 5s', /cannot combine a value without a unit with a time/, '<'],
  ['vllm:e2e_request_latency_seconds.avg < 1MiB', /cannot combine a time with a size/, '<'],
  ['1 / 0 > 1', /division by 0/, '/'],
])('cannot evaluate %s', (text, expectedReason, prefix) => {
  const [reason, textFromOffset] = evaluateUnknown(text);
  expect(reason).toMatch(expectedReason);
  expect(textFromOffset.startsWith(prefix)).toBe(true);
});

describe('with a baseline', () => {
  const baseline = createRuleRun(1);

  test.each<[string, boolean]>([
    ['vllm:e2e_request_latency_seconds.avg < baseline * 1.05', false],
    ['vllm:e2e_request_latency_seconds.avg <= baseline * 2', true],
    ['baseline < vllm:e2e_request_latency_seconds.avg', true],
    ['vllm:e2e_request_latency_seconds.avg - baseline(vllm:e2e_request_latency_seconds.avg) == 1s', true],
    ['sum(vllm:request_success.total) >= baseline', true],
    ['increase(vllm:num_preemptions) <= baseline', true],
  ])('%s is %s', (text, expected) => {
    expect(evaluateRule(text, run, baseline)).toBe(expected);
  });

  test('cannot evaluate a metric that the baseline lacks', () => {
    const empty = createRunFromView(createDocument({}));
    expect(evaluateRule('vllm:generation_tokens.rate > baseline', run, empty)).toMatchObject({
      unknown: expect.stringMatching(/^in the baseline: no metric/),
    });
  });
});
