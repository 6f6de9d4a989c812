import { expect, test } from 'vitest';
import { countTokens, createResponseText, getTokenText } from '../../src/server/tokenizer.ts';

test.each([
  ['', 0],
  ['word', 1],
  ['a few words', 3],
  ['incomprehensible', 3],
  ['Hello, world!', 4],
  ['line one\nline two', 4],
  ['模型', 2],
  ['   ', 1],
])('%j has %d tokens', (text, tokens) => {
  expect(countTokens(text)).toBe(tokens);
});

test('a response has the requested number of tokens', () => {
  for (const length of [1, 2, 17, 400]) {
    for (const salt of [0, 3, 2 ** 32 - 1])
      expect(countTokens(createResponseText(length, salt))).toBe(length);
  }
});

test('the text of a response is the concatenation of its tokens', () => {
  const tokens = Array.from({ length: 30 }, (_, i) => getTokenText(i, 9));
  expect(tokens.join('')).toBe(createResponseText(30, 9));
  expect(createResponseText(30, 10)).not.toBe(createResponseText(30, 9));
});
