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
  [{ prompt_tokens_details: { cached_tokens: null }, cache_read_input_tokens: 3 }, { cachedTokens: 3 }],
  [
    { prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36, cache_creation_input_tokens: 8 },
    { cachedTokens: 64, cacheMissTokens: 36, cacheWriteTokens: 8 },
  ],
  [
    {
      prompt_tokens_details: { audio_tokens: 1 },
      completion_tokens_details: {
        audio_tokens: 2,
        accepted_prediction_tokens: 3,
        rejected_prediction_tokens: 4,
      },
      prompt_audio_seconds: 1.5,
      toolUsePromptTokenCount: 5,
    },
    {
      promptAudioTokens: 1,
      completionAudioTokens: 2,
      acceptedPredictionTokens: 3,
      rejectedPredictionTokens: 4,
      promptAudioSeconds: 1.5,
      toolUsePromptTokens: 5,
    },
  ],
  [{ prompt_audio_seconds: {}, cached_tokens: '3' }, {}],
  [{ prompt_tokens: -1, completion_tokens: 'x', prompt_tokens_details: null }, {}],
])('reads the usage %j', (value, expected) => {
  expect(readUsage(value)).toEqual(expected);
});
