import { Random } from '@org/core';
import { describe, expect, test } from 'vitest';
import { TextGenerator } from '../../src/input/textGenerator.ts';
import type { Tokenizer } from '../../src/tokens/tokenizer.ts';

/** Tokenizers for which words differ in their number of tokens. */
const TOKENIZERS: readonly Tokenizer[] = [
  { name: 'a token per byte', count: text => Buffer.byteLength(text) },
  { name: 'a token per pair of characters', count: text => Math.ceil(text.length / 2) },
  { name: 'a token per word, and one per vowel', count: text => (text.match(/\w+|[aeiou]/g) ?? []).length },
  { name: 'a token per three letters of a word', count: text => text.match(/ ?\w{1,3}/g)?.length ?? 0 },
  // As SentencePiece, which puts a space before the text.
  { name: 'a token per two letters and space', count: text => ` ${text}`.match(/ ?\w{1,2}/g)?.length ?? 0 },
];

describe.each(TOKENIZERS)('with $name', tokenizer => {
  test.each([1, 2, 7, 100, 1000])('a text of %d tokens has exactly this number', tokens => {
    const generator = new TextGenerator(tokenizer);
    for (let seed = 0; seed < 20; seed++)
      expect(tokenizer.count(generator.generate(tokens, new Random(seed)))).toBe(tokens);
  });
});

test('words of different lengths never leave a text too short', () => {
  const [bytes] = TOKENIZERS;
  const generator = new TextGenerator(bytes);
  for (let seed = 0; seed < 3000; seed++) {
    const tokens = 1 + (seed % 200);
    expect(bytes!.count(generator.generate(tokens, new Random(seed))), `seed ${seed}`).toBe(tokens);
  }
});

test('a text is as long as the tokenizer permits', () => {
  const pairs: Tokenizer = { name: 'two tokens per word', count: text => 2 * text.split(' ').length };
  expect(pairs.count(new TextGenerator(pairs).generate(7, new Random(1)))).toBe(8);
});

test('counts a word as a token without a tokenizer', () => {
  const generator = new TextGenerator();
  expect(generator.generate(33, new Random(1)).split(' ')).toHaveLength(33);
  expect(generator.isExact).toBe(false);
});
