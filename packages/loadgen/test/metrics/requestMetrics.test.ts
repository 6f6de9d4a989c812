import { expect, test } from 'vitest';
import { computeRequestMetrics } from '../../src/metrics/requestMetrics.ts';
import { createFailedRecord, createRecord } from '../support/record.ts';

test('a request that is not streamed has no streaming metrics', () => {
  const tags = Object.keys(computeRequestMetrics(createRecord({ streaming: false })));
  expect(tags).toContain('request_latency');
  expect(tags.filter(tag => /token_latency|first|second|per_user|chunk_latency|^stream/.test(tag))).toEqual(
    [],
  );
});

test('an embedding has no output metric except requested_osl', () => {
  const tags = Object.keys(computeRequestMetrics(createRecord({ endpoint: 'embeddings', streaming: false })));
  expect(tags.filter(tag => /output|osl|completion_tokens_diff/.test(tag))).toEqual(['requested_osl']);
});

test('a failed request has only its input length', () => {
  expect(computeRequestMetrics(createFailedRecord())).toEqual({
    error_isl: { value: 100, unit: 'tokens' },
  });
});

test('a failed request without token counts has no metrics', () => {
  const missingCounts = { input: undefined, output: undefined, reasoning: undefined };
  const record = createFailedRecord('boom', {
    counted: missingCounts,
    tokens: { ...missingCounts, source: 'client' },
  });
  expect(computeRequestMetrics(record)).toEqual({});
});
