import { expect, test } from 'vitest';
import { computeRequestMetrics } from '../../src/metrics/requestMetrics.ts';
import { hasBothCounts, isDiscrepancy } from '../../src/metrics/usageMetrics.ts';
import { createRecord } from '../support/record.ts';

test.each([
  ['usage_prompt_tokens', 107, 'tokens'],
  ['usage_completion_tokens', 6, 'tokens'],
  ['usage_total_tokens', 113, 'tokens'],
  ['usage_prompt_tokens_diff_pct', 7, '%'],
  ['usage_completion_tokens_diff_pct', 20, '%'],
])('computes %s', (tag, value, unit) => {
  const measured = computeRequestMetrics(createRecord())[tag]!;
  expect(measured.value).toBeCloseTo(value, 9);
  expect(measured.unit).toBe(unit);
});

test('compares output including reasoning with the completion tokens of the server', () => {
  const record = createRecord({
    counted: { input: 100, output: 4, reasoning: 10 },
    usage: { promptTokens: 100, completionTokens: 14, reasoningTokens: 12 },
  });
  expect(computeRequestMetrics(record)).toMatchObject({
    usage_prompt_tokens_diff_pct: { value: 0 },
    usage_completion_tokens_diff_pct: { value: 0 },
    usage_reasoning_tokens_diff_pct: { value: 20 },
  });
});

test('omits usage_completion_tokens_diff_pct for embeddings', () => {
  const metrics = computeRequestMetrics(createRecord({ endpoint: 'embeddings', streaming: false }));
  expect(metrics).toHaveProperty('usage_prompt_tokens_diff_pct');
  expect(metrics).not.toHaveProperty('usage_completion_tokens_diff_pct');
});

test.each([
  [{ usage_prompt_tokens: 7 }, false, false],
  [{ usage_prompt_tokens_diff_pct: 10 }, true, false],
  [{ usage_prompt_tokens_diff_pct: 1, usage_reasoning_tokens_diff_pct: 10.1 }, true, true],
])('%j: has both counts: %s, is a discrepancy: %s', (metrics, isCompared, hasDiscrepancy) => {
  expect([hasBothCounts(metrics), isDiscrepancy(metrics)]).toEqual([isCompared, hasDiscrepancy]);
});
