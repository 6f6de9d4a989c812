import { expect, test } from 'vitest';
import { createSyntheticInputs } from '../../src/input/syntheticInputs.ts';
import { openTraceInputs } from '../../src/input/traceInputs.ts';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';
import { writeJsonl } from '../support/files.ts';

const tokenizer = await openTokenizer();
const BASE = { seed: 5, tokenizer, inputTokens: { mean: 30 } };

test('each conversation starts with a prefix of the pool, in addition to its length', () => {
  const inputs = createSyntheticInputs({ ...BASE, turns: { mean: 2 }, prefixes: { size: 3, tokens: 12 } });
  const counts = new Map<string, number>();
  for (let index = 0; index < 300; index++) {
    const [first, second] = inputs.getConversation(index).turns;
    expect([first!.tokens, tokenizer.count(first!.text), second!.tokens]).toEqual([42, 42, 30]);
    const prefix = first!.text.split(' ').slice(0, 12).join(' ');
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  expect(counts.size).toBe(3);
  for (const count of counts.values()) expect(count).toBeGreaterThan(60);
});

test('prefixes do not change the rest of the prompts', () => {
  const withPrefixes = createSyntheticInputs({ ...BASE, prefixes: { size: 2, tokens: 4 } });
  const { text } = createSyntheticInputs(BASE).getConversation(1).turns[0]!;
  expect(withPrefixes.getConversation(1).turns[0]!.text.endsWith(` ${text}`)).toBe(true);
});

test('draws the lengths of prompts and responses from ranges', () => {
  const range = { input: { min: 20, max: 40 }, output: { min: 5, max: 6 } };
  const inputs = createSyntheticInputs({ ...BASE, range });
  const turns = Array.from({ length: 200 }, (_, index) => inputs.getConversation(index).turns[0]!);
  const lengths = turns.map(({ tokens }) => tokens!);
  expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([20, 40]);
  expect(new Set(turns.map(({ maxTokens }) => maxTokens))).toEqual(new Set([5, 6]));
});

test.each(['synthetic prompts', 'a trace'])('generates %s of random tokens', async kind => {
  const path = writeJsonl({ input_length: 40, hash_ids: [1] }, { input_length: 40, hash_ids: [1] });
  const inputs =
    kind === 'a trace'
      ? await openTraceInputs(path, { tokenizer, corpus: 'random', blockTokens: 40 })
      : createSyntheticInputs({ ...BASE, corpus: 'random' });
  const { text, tokens } = inputs.getConversation(0).turns[0]!;
  expect(tokens).toBeUndefined();
  expect(text).toMatch(/[^a-z ]/);
  if (kind === 'a trace') expect(inputs.getConversation(1).turns[0]!.text).toBe(text);
});
