import { expect, test } from 'vitest';
import { answerText, countTokens, tokenText } from '../../src/server/tokens.ts';

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

test('an answer has as many tokens as it was made of', () => {
  for (const length of [1, 2, 17, 400]) {
    for (const salt of [0, 3, 2 ** 32 - 1]) expect(countTokens(answerText(length, salt))).toBe(length);
  }
});

test('an answer is its tokens', () => {
  const tokens = Array.from({ length: 30 }, (_, i) => tokenText(i, 9));
  expect(tokens.join('')).toBe(answerText(30, 9));
  expect(answerText(30, 10)).not.toBe(answerText(30, 9));
});
