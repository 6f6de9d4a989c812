import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { TextGenerator } from '../../src/input/textGenerator.ts';
import type { Tokenizer } from '../../src/tokens/tokenizer.ts';

/** Counts two characters as a token, so that words have different numbers of tokens. */
const pairTokenizer: Tokenizer = { name: 'pairs', count: text => Math.ceil(text.length / 2) };

test.each([1, 7, 100, 1000])(
  'a text of %d tokens is at most 4 tokens longer or shorter if words differ in their number of tokens',
  tokens => {
    const generator = new TextGenerator(pairTokenizer);
    expect(generator.isExact).toBe(false);
    const count = pairTokenizer.count(generator.generate(tokens, new Random(3)));
    expect(Math.abs(count - tokens)).toBeLessThanOrEqual(4);
  },
);

test('counts a word as a token without a tokenizer', () => {
  const generator = new TextGenerator();
  expect(generator.generate(33, new Random(1)).split(' ')).toHaveLength(33);
  expect(generator.isExact).toBe(false);
});
