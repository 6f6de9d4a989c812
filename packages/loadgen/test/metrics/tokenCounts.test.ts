import { expect, test } from 'vitest';
import { hasServerCounts, selectTokenCounts } from '../../src/metrics/tokenCounts.ts';
import { createRecord } from '../support/record.ts';

const USAGE = { promptTokens: 20, completionTokens: 7, reasoningTokens: 3 };

test.each([
  ['client', { input: 12, output: 4, reasoning: 1 }],
  // The completion tokens of the server include its reasoning tokens.
  ['server', { input: 20, output: 4, reasoning: 3 }],
] as const)('selects the token counts of the %s', (source, counts) => {
  const record = createRecord({ counted: { input: 12, output: 4, reasoning: 1 }, usage: USAGE });
  expect(selectTokenCounts(record, source)).toEqual(counts);
});

test.each([
  ['usage', {}, true],
  ['no usage', { usage: undefined }, false],
  ['usage without completion tokens', { usage: { promptTokens: 3 } }, false],
  ['the prompt tokens of embeddings', { usage: { promptTokens: 3 }, endpoint: 'embeddings' }, true],
] as const)('a response with %s: has server counts?', (_, overrides, expected) => {
  expect(hasServerCounts(createRecord(overrides))).toBe(expected);
});
