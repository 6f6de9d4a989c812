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

test('an embedding has the output length 0 and no other output metric except requested_osl', () => {
  const metrics = computeRequestMetrics(createRecord({ endpoint: 'embeddings', streaming: false }));
  for (const found of [
    metrics,
    replaceTokenCounts(metrics, { input: 1, output: undefined, reasoning: undefined }),
  ]) {
    const tags = Object.keys(found).filter(tag => /output|osl|completion_tokens_diff/.test(tag));
    expect(tags.sort()).toEqual(['output_sequence_length', 'requested_osl']);
    expect(found.output_sequence_length).toEqual({ value: 0, unit: 'tokens' });
  }
});

test('a streamed request has a decode duration', () => {
  expect(computeRequestMetrics(createRecord()).decode_duration).toEqual({ value: 40, unit: 'ms' });
  expect(computeRequestMetrics(createRecord({ streaming: false }))).not.toHaveProperty('decode_duration');
});

test('a request has the speculative decoding that the server reported', () => {
  const speculation = {
    meanLength: 2.5,
    acceptanceRate: 0.5,
    histogram: [1, 0, 2, 1],
    acceptedTokens: 7,
    draftTokens: 12,
    steps: 4,
    maxDraftTokens: 3,
  };
  const metrics = computeRequestMetrics(createRecord({ speculation }));
  expect(
    Object.fromEntries(Object.entries(metrics).filter(([tag]) => tag.startsWith('spec_decode'))),
  ).toEqual({
    spec_decode_acceptance_length: { value: 2.5, unit: 'ratio' },
    spec_decode_draft_acceptance_rate: { value: 50, unit: '%' },
    spec_decode_accepted_per_verified: { value: 11 / 16, unit: 'ratio' },
    spec_decode_steps: { value: 4, unit: 'count' },
    spec_decode_accepted_draft_tokens: { value: 7, unit: 'tokens' },
    spec_decode_draft_tokens: { value: 12, unit: 'tokens' },
  });
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
