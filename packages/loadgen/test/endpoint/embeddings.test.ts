import { expect, test } from 'vitest';
import { embeddings } from '../../src/endpoint/embeddings.ts';

test('asks for the last message, and counts vectors', () => {
  const messages = [
    { role: 'system', content: 'one' },
    { role: 'user', content: 'two' },
  ];
  const asked = { model: 'm', messages, maxTokens: 5, stream: false, usage: true, legacyMaxTokens: false };
  expect(embeddings.fields(asked)).toEqual({ model: 'm', input: 'two' });
  const json = {
    data: [{ embedding: [1] }, { embedding: [2] }],
    usage: { prompt_tokens: 2, total_tokens: 2 },
  };
  expect(embeddings.answer(json)).toMatchObject({
    vectors: 2,
    text: '',
    usage: { promptTokens: 2, totalTokens: 2 },
  });
  expect(embeddings.answer({ data: 'x' }).vectors).toBe(0);
});
