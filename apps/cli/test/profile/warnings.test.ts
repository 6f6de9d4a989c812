import type { ProfileExport } from '@org/formats';
import { expect, test } from 'vitest';
import { profileWarnings } from '../../src/profile/warnings.ts';

const requests = (avg: number): object => ({ unit: 'requests', avg });

function documentOf(more: object): ProfileExport {
  return { schema_version: '1.3', request_count: requests(100), ...more } as ProfileExport;
}

test.each([
  ['nothing', {}, []],
  [
    'the client itself, and requests that were never sent',
    {
      load_generator: {
        tokenizer: 'o200k_base',
        warnings: [{ kind: 'client_busy', message: 'busy' }],
        unsent_requests: 3,
      },
    },
    [/^busy$/, /^3 request\(s\) were due .* never sent$/],
  ],
  [
    'a cap that keeps a rate back',
    {
      input_config: { phases: { profiling: { rate: 50, concurrency: 3 } } },
      credit_drop_latency: { unit: 'ms', avg: 106, p99: 264 },
      request_latency: { unit: 'ms', avg: 90 },
    },
    [
      /^requests were sent 106 ms after they were due \(p99 264 ms\): --concurrency 3 keeps 50 requests\/s back/,
    ],
  ],
  [
    'a cap that is wide enough',
    {
      input_config: { phases: { profiling: { rate: 50, concurrency: 30 } } },
      credit_drop_latency: { unit: 'ms', avg: 0.3, p99: 2 },
      request_latency: { unit: 'ms', avg: 90 },
    },
    [],
  ],
  [
    'a server that does not count',
    { load_generator: { tokenizer: 'server' }, usage_prompt_tokens: { unit: 'tokens', avg: 5, count: 98 } },
    [/^2 of 100 answers have no usage, and so no tokens: --use-server-token-count needs/],
  ],
  [
    'a server that counts',
    { load_generator: { tokenizer: 'server' }, usage_prompt_tokens: { unit: 'tokens', avg: 5, count: 100 } },
    [],
  ],
  [
    'other counts of tokens',
    { usage_discrepancy_count: requests(7) },
    [/differ by more than 10 % in 7 of 100 requests.*--use-server-token-count/],
  ],
  [
    'answers of another length',
    { osl_mismatch_count: requests(9), osl_mismatch_diff_pct: { unit: '%', avg: -12.34 } },
    [/9 of 100 answers .*on average -12\.3 %.*ignore_eos:true/],
  ],
])('%s', (_, more, expected) => {
  const warnings = profileWarnings(documentOf(more));
  expect(warnings).toHaveLength(expected.length);
  expected.forEach((pattern, at) => void expect(warnings[at]).toMatch(pattern));
});
