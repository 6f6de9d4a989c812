import { describe, expect, test } from 'vitest';
import { computeRequestMetrics, replaceTokenCounts } from '../../src/metrics/requestMetrics.ts';
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
  const record = createFailedRecord('boom', { counted: missingCounts });
  expect(computeRequestMetrics(record)).toEqual({});
});

describe('replaceTokenCounts', () => {
  const COUNTED = { input: 90, output: 4, reasoning: 3 };

  test.each([
    ['a stream', createRecord({ counted: COUNTED })],
    ['a single response', createRecord({ counted: COUNTED, streaming: false })],
    ['a stream of one token', createRecord({ counted: { input: 90, output: 1, reasoning: 0 } })],
    ['a failed request', createFailedRecord('boom', { counted: COUNTED })],
  ])(
    'turns the metrics of %s with the server counts into the metrics with the client counts',
    (_, record) => {
      const replaced = replaceTokenCounts(computeRequestMetrics(record, 'server'), record.counted);
      expect(replaced).toEqual(computeRequestMetrics(record, 'client'));
    },
  );
});
