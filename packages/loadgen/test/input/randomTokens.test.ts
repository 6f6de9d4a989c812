import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { createGenerator } from '../../src/input/corpus.ts';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';

const tokenizer = await openTokenizer();

test.each([1, 20, 500])('generates texts of about %i random tokens', tokens => {
  const generator = createGenerator(tokenizer, 'random');
  const random = new Random(3);
  for (let index = 0; index < 20; index++) {
    const count = tokenizer.count(generator.generate(tokens, random.fork(`${index}`)));
    expect(Math.abs(count - tokens)).toBeLessThanOrEqual(1 + tokens * 0.02);
  }
});

// Without cutting, these texts have up to 3 tokens too many or too few.
test.each([
  [58, 59],
  [99, 100],
  [103, 104],
  [124, 5],
  [126, 7],
  [167, 48],
  [235, 116],
  [251, 12],
])('cuts a text that does not have the requested length: seed %i, %i tokens', (seed, tokens) => {
  const generator = createGenerator(tokenizer, 'random');
  expect(tokenizer.count(generator.generate(tokens, new Random(seed)))).toBe(tokens);
});

test('generates the same text for the same seed, and other texts for others', () => {
  const generator = createGenerator(tokenizer, 'random');
  const generate = (seed: number) => generator.generate(30, new Random(seed));
  expect(generate(1)).toBe(generate(1));
  expect(generate(1)).not.toBe(generate(2));
});

test('rejects random tokens without a vocabulary', () => {
  expect(() => createGenerator(undefined, 'random')).toThrow(
    'random tokens require a tokenizer with a vocabulary; expected the corpus sonnet',
  );
});
