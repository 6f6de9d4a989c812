import { expect, test } from 'vitest';
import { embeddings } from '../../src/endpoint/embeddings.ts';

test('sends the last message and counts vectors', () => {
  const messages = [
    { role: 'system', content: 'one' },
    { role: 'user', content: 'two' },
  ];
  const params = { model: 'm', messages, maxTokens: 5, stream: false, usage: true, legacyMaxTokens: false };
  expect(embeddings.buildBody(params)).toEqual({ model: 'm', input: 'two' });
  const json = {
    data: [{ embedding: [1] }, { embedding: [2] }],
    usage: { prompt_tokens: 2, total_tokens: 2 },
  };
  expect(embeddings.parseResponse(json)).toMatchObject({
    vectors: 2,
    text: '',
    usage: { promptTokens: 2, totalTokens: 2 },
  });
  expect(embeddings.parseResponse({ data: 'x' }).vectors).toBe(0);
});
