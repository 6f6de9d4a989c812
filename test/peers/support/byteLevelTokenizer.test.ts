import { expect, test } from 'vitest';
import { describeByteLevelTokenizer } from './byteLevelTokenizer.ts';

interface Tokenizer {
  readonly model: { readonly vocab: Readonly<Record<string, number>>; readonly merges: readonly string[] };
}

test.each([
  { size: 0, tokens: 257 },
  { size: 300, tokens: 300 },
  { size: 8000, tokens: 8000 },
])('a vocabulary of $size tokens contains all bytes and complete merges', ({ size, tokens }) => {
  const { model } = describeByteLevelTokenizer(size) as Tokenizer;
  const ids = Object.values(model.vocab).sort((a, b) => a - b);
  expect(ids).toEqual(Array.from({ length: tokens }, (_, id) => id));
  expect(model.merges).toHaveLength(tokens - 257);
  const known = new Set(Object.keys(model.vocab));
  const parts = model.merges.flatMap(merge => [...merge.split(' '), merge.replace(' ', '')]);
  expect(parts.filter(part => !known.has(part))).toEqual([]);
});
