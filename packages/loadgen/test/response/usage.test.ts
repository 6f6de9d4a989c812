import { expect, test } from 'vitest';
import { readUsage } from '../../src/response/usage.ts';

test.each([
  [null, undefined],
  ['5', undefined],
  [{}, {}],
  [
    { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
    { promptTokens: 5, completionTokens: 7, totalTokens: 12 },
  ],
  [
    { completion_tokens: 7, completion_tokens_details: { reasoning_tokens: 4 } },
    { completionTokens: 7, reasoningTokens: 4 },
  ],
  [
    { completion_tokens: 7, reasoning_tokens: 4 },
    { completionTokens: 7, reasoningTokens: 4 },
  ],
  [
    { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 0 } },
    { promptTokens: 9, cachedTokens: 0 },
  ],
  [{ prompt_tokens: -1, completion_tokens: 'x', prompt_tokens_details: null }, {}],
])('reads the usage %j', (value, expected) => {
  expect(readUsage(value)).toEqual(expected);
});
