import type { ProfileExport } from '@org/formats';
import { expect, test } from 'vitest';
import { listProfileWarnings } from '../../src/screens/profileWarnings.ts';

const createCount = (avg: number): object => ({ unit: 'requests', avg });

function createDocument(fields: object): ProfileExport {
  return { schema_version: '1.3', request_count: createCount(100), ...fields } as ProfileExport;
}

test.each([
  [
    'a busy client and requests that were not sent',
    {
      load_generator: {
        tokenizer: 'o200k_base',
        warnings: [{ kind: 'client_busy', message: 'busy' }],
        unsent_requests: 3,
      },
    },
    [/^busy$/, /^3 requests could not be sent before --benchmark-duration ended/],
  ],
  [
    'a concurrency limit that delays requests',
    {
      input_config: { phases: [{ name: 'profiling', rate: 50, concurrency: 3 }] },
      credit_drop_latency: { unit: 'ms', avg: 106, p99: 264 },
      request_latency: { unit: 'ms', avg: 90 },
    },
    [
      /^requests were sent 106 ms late on average \(p99 264 ms\), because --concurrency 3 limits the rate of 50 requests\/s/,
    ],
  ],
  [
    'a concurrency limit that delays requests, in a run of Servelens 0.1',
    {
      input_config: { phases: { profiling: { rate: 50, concurrency: 3 } } },
      credit_drop_latency: { unit: 'ms', avg: 106, p99: 264 },
      request_latency: { unit: 'ms', avg: 90 },
    },
    [/^requests were sent 106 ms late on average/],
  ],
  [
    'responses without usage',
    { load_generator: { tokenizer: 'server' }, usage_prompt_tokens: { unit: 'tokens', avg: 5, count: 98 } },
    [/^2 of 100 responses have no usage field, .*--token-count client/],
  ],
  [
    'different token counts',
    { usage_discrepancy_count: createCount(7) },
    [/differ by more than 10% in 7 of 100 requests.*--token-count server/],
  ],
  [
    'a server that does not report token counts of streams',
    {
      error_summary: [
        {
          error_details: { code: 400, type: 'HttpError', message: 'unknown field stream_options' },
          count: 3,
        },
      ],
    },
    [/^the server does not accept stream_options, .*--extra-inputs stream_options:null$/],
  ],
  [
    'chunks that arrived together',
    { coalesced_chunk_share: { unit: 'ratio', avg: 0.123 } },
    [/^12\.3% of chunks arrived together with the chunk before, so the time to second token/],
  ],
  [
    'different output lengths',
    { osl_mismatch_count: createCount(9), osl_mismatch_diff_pct: { unit: '%', avg: -12.34 } },
    [
      /^9 of 100 responses do not have the requested length \(12\.3% shorter on average\); the server did not end them early$/,
    ],
  ],
  [
    'responses that are longer than requested',
    { osl_mismatch_count: createCount(9), osl_mismatch_diff_pct: { unit: '%', avg: 100 } },
    [
      /\(100\.0% longer on average\); the server does not apply the requested length: set --use-legacy-max-tokens/,
    ],
  ],
  [
    'a tokenizer that counts other tokens in responses, if metrics use the counts of the server',
    {
      load_generator: { tokenizer: 'o200k_base', token_source: 'server' },
      usage_discrepancy_count: createCount(7),
      usage_prompt_tokens: { unit: 'tokens', avg: 5, count: 100 },
      usage_prompt_tokens_diff_pct: { unit: '%', avg: 30 },
      usage_completion_tokens_diff_pct: { unit: '%', avg: 25.04 },
    },
    [
      /^the tokenizer of the client \(o200k_base\) counts differently .* 25\.0% in responses and 30\.0% in prompts, .*--tokenizer/,
    ],
  ],
  [
    'responses that the server ended early',
    { osl_mismatch_count: createCount(9), load_generator: { tokenizer: 'x', early_stops: 4 } },
    [/the server ended 4 responses early: set --extra-inputs ignore_eos:true/],
  ],
  [
    'a tokenizer that counts differently, without blaming ignore_eos',
    {
      osl_mismatch_count: createCount(9),
      load_generator: { tokenizer: 'x', token_source: 'client', early_stops: 0 },
    },
    [/^(?!.*ignore_eos).*the tokenizer of the client counts differently/],
  ],
])('warns about %s', (_, fields, expected) => {
  const warnings = listProfileWarnings(createDocument(fields));
  expect(warnings).toHaveLength(expected.length);
  expected.forEach((pattern, index) => void expect(warnings[index]).toMatch(pattern));
});

test.each([
  ['a run without problems', {}],
  [
    'a concurrency limit that does not delay requests',
    {
      input_config: { phases: [{ name: 'profiling', rate: 50, concurrency: 30 }] },
      credit_drop_latency: { unit: 'ms', avg: 0.3, p99: 2 },
      request_latency: { unit: 'ms', avg: 90 },
    },
  ],
  [
    'different token counts of prompts if metrics use the counts of the server',
    {
      load_generator: { tokenizer: 'o200k_base', token_source: 'server' },
      usage_discrepancy_count: createCount(7),
      usage_prompt_tokens: { unit: 'tokens', avg: 5, count: 100 },
      // The chat template.
      usage_prompt_tokens_diff_pct: { unit: '%', avg: 30 },
      usage_completion_tokens_diff_pct: { unit: '%', avg: 0 },
    },
  ],
  [
    'responses with usage',
    { load_generator: { tokenizer: 'server' }, usage_prompt_tokens: { unit: 'tokens', avg: 5, count: 100 } },
  ],
])('does not warn about %s', (_, fields) => {
  expect(listProfileWarnings(createDocument(fields))).toEqual([]);
});
