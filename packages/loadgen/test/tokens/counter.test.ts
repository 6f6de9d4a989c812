import { expect, test } from 'vitest';
import { countTokens } from '../../src/tokens/counter.ts';

/** A tokenizer that counts words. */
const tokenizer = { name: 'words', count: (text: string) => text.split(/\s+/).filter(Boolean).length };

test('counts the tokens of prompts, output, reasoning and each piece', () => {
  const counted = countTokens(tokenizer, {
    inputs: ['one two', 'three'],
    pieces: ['well ', 'then', ' four fi', 've'],
    kinds: Uint8Array.of(1, 1, 0, 0),
  });
  // Output and reasoning are counted after their pieces are joined, so the counts of the pieces may add up to more.
  expect(counted).toEqual({ input: 3, output: 2, reasoning: 2, pieces: Uint32Array.of(1, 1, 2, 1) });
});

test('counts nothing for a request without a response', () => {
  expect(countTokens(tokenizer, { inputs: ['one'], pieces: [], kinds: new Uint8Array() })).toEqual({
    input: 1,
    output: 0,
    reasoning: 0,
    pieces: new Uint32Array(),
  });
});
