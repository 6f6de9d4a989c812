import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { Writer } from '../../src/input/textWriter.ts';
import type { Tokenizer } from '../../src/tokens/tokenizer.ts';

/** Sees two letters as a token, so that words are of different lengths. */
const pairs: Tokenizer = { name: 'pairs', count: text => Math.ceil(text.length / 2) };

test.each([1, 7, 100, 1000])(
  'comes near %d tokens of a tokenizer for which words are of different lengths',
  tokens => {
    const writer = new Writer(pairs);
    expect(writer.isExact).toBe(false);
    const count = pairs.count(writer.text(tokens, new Random(3)));
    expect(Math.abs(count - tokens)).toBeLessThanOrEqual(4);
  },
);

test('without a tokenizer a word is a token', () => {
  const writer = new Writer();
  expect(writer.text(33, new Random(1)).split(' ')).toHaveLength(33);
  expect(writer.isExact).toBe(false);
});
