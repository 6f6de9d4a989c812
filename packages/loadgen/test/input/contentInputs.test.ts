import { expect, test } from 'vitest';
import { openInputs } from '../../src/input/inputsDescription.ts';
import { createSyntheticInputs } from '../../src/input/syntheticInputs.ts';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';

const tokenizer = await openTokenizer('o200k_base');
const countWords = (text: string): number => text.split(' ').length;

test('a turn of a batch has several texts, whose tokens are counted together', () => {
  const inputs = createSyntheticInputs({
    seed: 1,
    tokenizer,
    inputTokens: { mean: 9, stddev: 3 },
    textsPerTurn: 3,
  });
  const { text, tokens, contents } = inputs.getConversation(0).turns[0]!;
  const texts = contents!.texts!;
  expect(texts).toHaveLength(3);
  expect(texts[0]).toBe(text);
  expect(new Set(texts).size).toBe(3);
  expect(tokens).toBe(texts.reduce((sum, each) => sum + tokenizer.count(each), 0));
});

test('a batch of one text has the prompt that a run without batches has', () => {
  const create = (textsPerTurn?: number) =>
    createSyntheticInputs({ seed: 1, inputTokens: { mean: 9 }, ...(textsPerTurn && { textsPerTurn }) });
  expect(create(1).getConversation(5)).toEqual(create().getConversation(5));
  expect(create(3).getConversation(5).turns[0]!.text).toBe(create().getConversation(5).turns[0]!.text);
});

test.each([{ inputTokens: { mean: 0 } }, { inputTokens: { mean: 9 }, textsPerTurn: 0 }])(
  'turns have no text with %j',
  lengths => {
    const options = { seed: 1, outputTokens: { mean: 7 }, turns: { mean: 2 }, tokenizer, ...lengths };
    const turn = { text: '', tokens: 0, maxTokens: 7 };
    expect(createSyntheticInputs(options).getConversation(0).turns).toEqual([turn, turn]);
    const prefixes = { size: 2, tokens: 5 };
    expect(createSyntheticInputs({ ...options, prefixes }).getConversation(0).turns[0]).toEqual(turn);
  },
);

test('a ranking has a query and passages of the requested lengths', () => {
  const rankings = { passages: { mean: 4 }, passageTokens: { mean: 6 }, queryTokens: { mean: 3 } };
  const inputs = createSyntheticInputs({ seed: 1, inputTokens: { mean: 99 }, rankings });
  const { text, contents, maxTokens } = inputs.getConversation(0).turns[0]!;
  expect(countWords(text)).toBe(3);
  expect(contents!.passages!.map(countWords)).toEqual([6, 6, 6, 6]);
  expect(maxTokens).toBeUndefined();
});

test('the number of passages is drawn', () => {
  const rankings = { passages: { mean: 9, stddev: 3 }, passageTokens: { mean: 1 }, queryTokens: { mean: 1 } };
  const inputs = createSyntheticInputs({ seed: 1, inputTokens: { mean: 9 }, rankings });
  const counts = Array.from({ length: 20 }, (_, index) => inputs.getConversation(index).turns[0]!);
  expect(new Set(counts.map(({ contents }) => contents!.passages!.length)).size).toBeGreaterThan(4);
});

test('images belong to a conversation, and do not change its texts', async () => {
  const images = {
    width: { mean: 2 },
    height: { mean: 2 },
    perTurn: 1,
    format: 'png',
    sampling: 'random_with_replacement',
  } as const;
  const description = { kind: 'synthetic', seed: 1, inputTokens: { mean: 5 }, entries: 4 } as const;
  const [plain, withImages] = await Promise.all([
    openInputs(description),
    openInputs({ ...description, images }),
  ]);
  const turns = [0, 1, 4].map(index => withImages.getConversation(index).turns[0]!);
  expect(turns.map(({ text }) => text)).toEqual(
    [0, 1, 0].map(index => plain.getConversation(index).turns[0]!.text),
  );
  expect(turns[0]!.contents).toEqual(turns[2]!.contents);
  expect(turns[0]!.contents).not.toEqual(turns[1]!.contents);
});
