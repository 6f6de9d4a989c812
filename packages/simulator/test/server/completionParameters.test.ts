import { describe, expect, test } from 'vitest';
import { parseChatParameters, parseCompletionParameters } from '../../src/server/completionParameters.ts';

const user = { role: 'user', content: 'two words' };

describe('parseChatParameters', () => {
  test('uses defaults for missing parameters', () => {
    expect(parseChatParameters({ model: 'm', messages: [user] })).toEqual({
      model: 'm',
      promptTokens: 2 + 4 + 3, // content, chat template of a message, start of the response
      prefix: { id: 'chat two words', tokens: 9 },
      maxTokens: undefined,
      minTokens: 0,
      ignoreEos: false,
      stream: false,
      includeUsage: false,
    });
  });

  test('max_completion_tokens has precedence over max_tokens', () => {
    const body = { model: 'm', messages: [user], max_tokens: 5, max_completion_tokens: 7 };
    expect(parseChatParameters(body).maxTokens).toBe(7);
  });

  test('the first of several messages is the shared prefix', () => {
    const system = { role: 'system', content: [{ type: 'text', text: 'Be' }, { text: ' kind' }] };
    const { promptTokens, prefix } = parseChatParameters({ model: 'm', messages: [system, user] });
    expect(promptTokens).toBe(6 + 6 + 3);
    expect(prefix).toEqual({ id: 'chat Be kind', tokens: 6 });
  });

  test.each([
    [{ messages: [user] }, 'model must be a string'],
    [{ model: 'm', messages: 'x' }, 'messages must be a non-empty list'],
    [{ model: 'm', messages: [user], min_tokens: -1 }, 'min_tokens is -1; expected an integer of at least 0'],
    [{ model: 'm', messages: [user], stream: true, stream_options: 5 }, 'stream_options must be an object'],
  ])('rejects %j', (body, message) => {
    expect(() => parseChatParameters(body)).toThrow(message);
  });
});

describe('parseCompletionParameters', () => {
  test.each([
    ['a string', 'two words', 2],
    ['a list of one string', ['two words'], 2],
    ['token IDs', [1, 2, 3], 3],
    ['an empty string', '', 1],
  ])('accepts %s', (_, prompt, promptTokens) => {
    expect(parseCompletionParameters({ model: 'm', prompt })).toMatchObject({
      promptTokens,
      prefix: { tokens: promptTokens },
    });
  });

  test('rejects several prompts', () => {
    expect(() => parseCompletionParameters({ model: 'm', prompt: ['a', 'b'] })).toThrow('prompt must be');
  });
});
