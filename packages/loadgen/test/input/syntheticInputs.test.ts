import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSyntheticInputs, type SyntheticOptions } from '../../src/input/syntheticInputs.ts';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';

const tokenizer = await openTokenizer();
const options: SyntheticOptions = {
  seed: 11,
  tokenizer,
  inputTokens: { mean: 60, stddev: 15 },
  outputTokens: { mean: 30, stddev: 10 },
  turns: { mean: 2, stddev: 1 },
  turnDelayMs: { mean: 50, stddev: 20 },
  sharedSystemTokens: 20,
};

function generateJson(overrides: Partial<SyntheticOptions> = {}, indices = [0, 1, 2, 3, 4]): string {
  const inputs = createSyntheticInputs({ ...options, ...overrides });
  return JSON.stringify(indices.map(index => inputs.getConversation(index)));
}

describe('a seed', () => {
  test('generates the same conversations in any order of access', () => {
    const inputs = createSyntheticInputs(options);
    const backwards = [4, 3, 2, 1, 0].map(index => inputs.getConversation(index)).reverse();
    expect(JSON.stringify(backwards)).toBe(generateJson());
  });

  test('generates the same bytes on every machine', () => {
    expect(createHash('sha256').update(generateJson()).digest('hex').slice(0, 16)).toBe('2499ad90b4742511');
  });

  test('generates different conversations than another seed', () => {
    expect(generateJson({ seed: 12 })).not.toBe(generateJson());
  });
});

test('prompts have exactly the stated number of tokens', () => {
  const inputs = createSyntheticInputs(options);
  for (let index = 0; index < 50; index++) {
    for (const { text, tokens } of inputs.getConversation(index).turns)
      expect(tokenizer.count(text)).toBe(tokens);
  }
  expect(tokenizer.count(inputs.getConversation(0).system!)).toBe(20);
});

test('lengths that belong together are drawn together', () => {
  const inputs = createSyntheticInputs({
    seed: 4,
    tokenizer,
    inputTokens: { mean: 1 },
    lengths: [
      { input: { mean: 10 }, output: { mean: 100 }, percent: 50 },
      { input: { mean: 20 }, output: { mean: 200 }, percent: 50 },
    ],
  });
  const turns = Array.from({ length: 100 }, (_, index) => inputs.getConversation(index).turns[0]!);
  expect(new Set(turns.map(({ tokens, maxTokens }) => `${tokens} ${maxTokens}`))).toEqual(
    new Set(['10 100', '20 200']),
  );
});

test('each conversation has another context of the stated length', () => {
  const inputs = createSyntheticInputs({ ...options, userContextTokens: 12 });
  const contexts = Array.from({ length: 20 }, (_, index) => inputs.getConversation(index).context!);
  expect(contexts.map(text => tokenizer.count(text))).toEqual(contexts.map(() => 12));
  expect(new Set(contexts).size).toBe(contexts.length);
  expect(inputs.getConversation(3).turns).toEqual(createSyntheticInputs(options).getConversation(3).turns);
});

test('lengths have the requested mean and standard deviation', () => {
  const inputs = createSyntheticInputs({
    seed: 4,
    inputTokens: { mean: 200, stddev: 20 },
    outputTokens: { mean: 50 },
  });
  const turns = Array.from({ length: 2000 }, (_, index) => inputs.getConversation(index).turns[0]!);
  const lengths = turns.map(({ text }) => text.split(' ').length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const variance = lengths.reduce((sum, length) => sum + (length - mean) ** 2, 0) / (lengths.length - 1);
  expect(Math.abs(mean - 200)).toBeLessThan(2);
  expect(Math.abs(Math.sqrt(variance) - 20)).toBeLessThan(1.5);
  expect(new Set(turns.map(({ maxTokens }) => maxTokens))).toEqual(new Set([50]));
});

test.each(['shuffle', 'random'] as const)(
  'repeats a limited number of conversations in %s order',
  sampling => {
    const inputs = createSyntheticInputs({ ...options, entries: 5, sampling });
    const ids = Array.from({ length: 50 }, (_, index) => inputs.getConversation(index).id);
    const sequential = Array.from({ length: 50 }, (_, index) => `synthetic-${index % 5}`);
    expect(new Set(ids)).toEqual(new Set(sequential));
    expect(ids).not.toEqual(sequential);
    expect(inputs.getEntry!(3).id).toBe('synthetic-3');
  },
);

test('conversations repeat after `entries` conversations, and have several turns with delays', () => {
  const inputs = createSyntheticInputs({ ...options, entries: 3 });
  expect(inputs.size).toBe(3);
  expect(inputs.getConversation(4)).toEqual(inputs.getConversation(1));
  const conversations = Array.from(
    { length: 40 },
    (_, index) => createSyntheticInputs(options).getConversation(index).turns,
  );
  expect(new Set(conversations.map(({ length }) => length)).size).toBeGreaterThan(2);
  expect(conversations.every(([first]) => first!.delayMs === undefined)).toBe(true);
  expect(conversations.some(turns => (turns[1]?.delayMs ?? 0) > 0)).toBe(true);
});

test.each([
  [{ inputTokens: { mean: -1 } }, 'inputTokens: mean is -1; expected a number from 0 to 10000000'],
  [{ inputTokens: { mean: 1e9 } }, 'inputTokens: mean is 1000000000; expected a number from 0 to'],
  [{ inputTokens: { mean: 5, stddev: -1 } }, 'inputTokens: stddev is -1'],
  [{ turnDelayMs: { mean: Number.NaN } }, 'turnDelayMs: mean is NaN; expected a number from 0'],
  [{ turns: { mean: 10_001 } }, 'turns: mean is 10001; expected a number from 1 to 10000'],
  [{ sharedSystemTokens: 0 }, 'sharedSystemTokens is 0; expected an integer from 1 to 10000000'],
  [{ sharedSystemTokens: 1.5 }, 'sharedSystemTokens is 1.5'],
  [{ userContextTokens: 0 }, 'userContextTokens is 0; expected an integer from 1 to 10000000'],
  [
    { lengths: [{ input: { mean: 0 }, output: { mean: 1 }, percent: 100 }] },
    'lengths 0: input: mean is 0; expected a number from 1',
  ],
  [{ sharedSystemTokens: 1e9 }, 'sharedSystemTokens is 1000000000'],
  [{ entries: 0 }, 'entries is 0'],
] as const)('rejects %j', (overrides, message) => {
  expect(() => createSyntheticInputs({ ...options, ...overrides })).toThrow(message);
});
