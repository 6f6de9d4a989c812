import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { TextWriter } from '../../src/input/textWriter.ts';
import type { Tokenizer } from '../../src/tokens/tokenizer.ts';

/** Counts two characters as a token, so that words have different numbers of tokens. */
const pairs: Tokenizer = { name: 'pairs', count: text => Math.ceil(text.length / 2) };

test.each([1, 7, 100, 1000])('comes close to %d tokens if words differ in their number of tokens', tokens => {
  const writer = new TextWriter(pairs);
  expect(writer.isExact).toBe(false);
  const count = pairs.count(writer.write(tokens, new Random(3)));
  expect(Math.abs(count - tokens)).toBeLessThanOrEqual(4);
});

test('counts a word as a token without a tokenizer', () => {
  const writer = new TextWriter();
  expect(writer.write(33, new Random(1)).split(' ')).toHaveLength(33);
  expect(writer.isExact).toBe(false);
});
