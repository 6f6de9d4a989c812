import { expect, test } from 'vitest';
import { vocabularyFor } from '../../src/input/vocabulary.ts';
import { o200kTokenizer } from '../../src/tokens/o200k.ts';

test('nearly every word is one token for o200k_base, and together they are as many as they are', async () => {
  const { words, isExact } = vocabularyFor(await o200kTokenizer());
  expect(isExact).toBe(true);
  expect(words.length).toBeGreaterThan(0.9 * vocabularyFor(undefined).words.length);
});

test('no word comes twice, and none is longer than six letters', () => {
  const { words } = vocabularyFor(undefined);
  expect(new Set(words).size).toBe(words.length);
  expect(words.filter(word => !/^[a-z]{1,6}$/.test(word))).toEqual([]);
});
