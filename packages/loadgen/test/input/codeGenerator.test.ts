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
