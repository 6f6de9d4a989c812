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
        tokenizer: 'server',
        warnings: [{ kind: 'client_busy', message: 'busy' }],
        unsent: 3,
      },
    },
    [/^busy$/, /^3 request\(s\) were due .* never sent$/],
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
