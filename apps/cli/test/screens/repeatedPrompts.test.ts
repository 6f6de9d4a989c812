import type { ProfileExport } from '@org/formats';
import { expect, test } from 'vitest';
import { describeRepeatedPrompts } from '../../src/screens/repeatedPrompts.ts';

const DATASET = { name: 'main', type: 'synthetic', entries: 100, prompts: {} };

function createDocument(dataset: object, fields: object = {}): ProfileExport {
  return {
    schema_version: '1.3',
    request_count: { unit: 'requests', avg: 696 },
    input_config: { datasets: [dataset] },
    ...fields,
  } as ProfileExport;
}

test('names how often prompts repeat, and the share of tokens that came from the prefix cache', () => {
  const usage = { overall_usage_prompt_cache_read_pct: { unit: '%', avg: 81.9 } };
  expect(describeRepeatedPrompts(createDocument(DATASET, usage), undefined)).toEqual([
    'each of the 100 prompts was sent 7.0 times on average, and 81.9% of the prompt tokens came from the prefix cache; to send no prompt twice, use --unique-prompts',
  ]);
});

test('says that the share is unknown if neither responses nor servers report it', () => {
  expect(describeRepeatedPrompts(createDocument(DATASET), undefined)).toEqual([
    'each of the 100 prompts was sent 7.0 times on average, and a prefix cache may have answered a part of them; to send no prompt twice, use --unique-prompts',
  ]);
});

test.each([
  ['as many prompts as requests', { ...DATASET, entries: 696 }],
  ['conversations', { ...DATASET, turns: { mean: 2 } }],
  ['a file', { name: 'main', type: 'file', path: 'a' }],
])('is silent about %s', (_, dataset) => {
  expect(describeRepeatedPrompts(createDocument(dataset), undefined)).toEqual([]);
});
