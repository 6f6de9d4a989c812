import { expect, test } from 'vitest';
import { createDelta } from '../../src/endpoint/responseFields.ts';
import { ParsedResponse } from '../../src/response/response.ts';
import { readSpeculation } from '../../src/response/speculation.ts';

/** The fields that vLLM sends after 4 steps. */
const FIELDS = {
  mean_acceptance_length: 2.75,
  draft_acceptance_rate: 7 / 12,
  acceptance_histogram: [1, 0, 2, 1],
  num_accepted_draft_tokens: 7,
  num_draft_tokens: 12,
  num_spec_steps: 4,
  num_spec_tokens: 3,
};

test('reads the speculative decoding of a request', () => {
  expect(readSpeculation({ speculative_decoding: FIELDS })).toEqual({
    meanLength: 2.75,
    acceptanceRate: 7 / 12,
    histogram: [1, 0, 2, 1],
    acceptedTokens: 7,
    draftTokens: 12,
    steps: 4,
    maxDraftTokens: 3,
  });
});

test('reads it without the maximum number of draft tokens', () => {
  const { num_spec_tokens: _, ...fields } = FIELDS;
  expect(readSpeculation({ speculative_decoding: fields })).toMatchObject({ maxDraftTokens: undefined });
});

test.each([
  ['nothing', {}],
  ['null', null],
  ['a text as histogram', { acceptance_histogram: '1021' }],
  ['a negative number of steps', { acceptance_histogram: [-1, 2, 2, 1] }],
  ['a histogram with other steps', { num_spec_steps: 5 }],
  ['a histogram with other tokens', { num_accepted_draft_tokens: 8 }],
  ['more accepted than proposed tokens', { num_draft_tokens: 6 }],
  ['more accepted tokens in a step than possible', { num_spec_tokens: 2 }],
  ['a mean that is not a number', { mean_acceptance_length: 'high' }],
  ['no acceptance rate', { draft_acceptance_rate: null }],
])('ignores %s', (_, fields) => {
  const metrics =
    fields && Object.keys(fields).length > 0 ? { speculative_decoding: { ...FIELDS, ...fields } } : fields;
  expect(readSpeculation(metrics)).toBeUndefined();
});

test('a response with the speculative decoding of several choices has none', () => {
  const response = new ParsedResponse();
  const delta = createDelta({ metrics: { speculative_decoding: FIELDS } }, '', '');
  response.add(1, delta);
  expect(response.speculation).toMatchObject({ steps: 4 });
  response.add(2, delta);
  response.add(3, delta);
  expect(response.speculation).toBeUndefined();
});
