import { expect, test } from 'vitest';
import { findVocabulary } from '../../src/input/vocabulary.ts';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';

test('most words are single tokens of o200k_base, even in a longer text', async () => {
  const { words, isExact } = findVocabulary(await openTokenizer());
  expect(isExact).toBe(true);
  expect(words.length).toBeGreaterThan(0.9 * findVocabulary(undefined).words.length);
});

test('words are unique and have up to six letters', () => {
  const { words } = findVocabulary(undefined);
  expect(new Set(words).size).toBe(words.length);
  expect(words.filter(word => !/^[a-z]{1,6}$/.test(word))).toEqual([]);
});
