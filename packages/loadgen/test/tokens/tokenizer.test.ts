import { expect, test } from 'vitest';
import { openTokenizer } from '../../src/tokens/openTokenizer.ts';

test.each([
  ['', 0],
  ['hello world', 2],
  ['<|endoftext|>', 7],
])('%j has %d tokens', async (text, tokens) => {
  const tokenizer = await openTokenizer();
  expect(tokenizer.name).toBe('o200k_base');
  expect(tokenizer.count(text)).toBe(tokens);
});
