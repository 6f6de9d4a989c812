import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { CodeGenerator } from '../../src/input/codeGenerator.ts';
import { createSyntheticInputs } from '../../src/input/syntheticInputs.ts';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';

const tokenizer = await openTokenizer();

test.each([1, 2, 7, 50, 333, 4000])('generates code of %i tokens', tokens => {
  const generator = new CodeGenerator(tokenizer);
  const errors = Array.from({ length: 20 }, (_, seed) =>
    Math.abs(tokenizer.count(generator.generate(tokens, new Random(seed))) - tokens),
  );
  expect(Math.max(...errors)).toBeLessThanOrEqual(1);
});

test('a text that cannot be cut to the requested length has as few tokens more as possible', () => {
  // Removing a letter at the start of a word removes up to two tokens.
  const vowels = {
    name: 'words and vowels',
    count: (text: string) => (text.match(/\w+|[aeiou]/g) ?? []).length,
  };
  const generator = new CodeGenerator(vowels);
  for (let seed = 0; seed < 200; seed++) {
    const excess = vowels.count(generator.generate(73, new Random(seed))) - 73;
    expect(excess, `seed ${seed}`).toBeGreaterThanOrEqual(0);
    expect(excess, `seed ${seed}`).toBeLessThanOrEqual(3);
  }
});

test('without a tokenizer, words are tokens', () => {
  const text = new CodeGenerator().generate(40, new Random(1));
  expect(text.trim().split(/\s+/)).toHaveLength(40);
});

test('the same seed generates the same text, and another seed another text', () => {
  const generator = new CodeGenerator(tokenizer);
  const [first, again, other] = [1, 1, 2].map(seed => generator.generate(200, new Random(seed)));
  expect(first).toBe(again);
  expect(first).not.toBe(other);
});

test('contains each kind of text', () => {
  const text = new CodeGenerator(tokenizer).generate(5000, new Random(3));
  for (const part of ['class ', 'export interface', 'Traceback', 'diff --git', '"status": ', '$ pytest'])
    expect(text).toContain(part);
});

test('the corpus coding is the text of generated prompts', () => {
  const inputs = createSyntheticInputs({
    tokenizer,
    inputTokens: { mean: 300, stddev: 0 },
    corpus: 'coding',
    seed: 7,
  });
  const { text } = inputs.getConversation(0).turns[0]!;
  expect(text).toMatch(/def |export |\{|Traceback|diff|pytest/);
  expect(Math.abs(tokenizer.count(text) - 300)).toBeLessThanOrEqual(1);
});
