import { expect, test } from 'vitest';
import { traceInputs } from '../../src/input/traceInputs.ts';
import { o200kTokenizer } from '../../src/tokens/o200k.ts';
import { jsonl } from '../support/files.ts';

const tokenizer = await o200kTokenizer();
const lines = [
  { timestamp: 2000, input_length: 25, output_length: 5, hash_ids: [1, 2, 3] },
  { timestamp: 3000, input_length: 23, output_length: 6, hash_ids: [1, 2, 4] },
  { timestamp: 4500, input_length: 33, output_length: 7, hash_ids: [1, 5] },
];

test('the same hash ids are the same text, and lengths are exact', async () => {
  const inputs = await traceInputs(jsonl(...lines), { tokenizer, blockTokens: 10, seed: 3 });
  const texts = [0, 1, 2].map(index => inputs.conversation(index).turns[0]!);
  expect(texts.map(({ text }) => tokenizer.count(text))).toEqual([25, 23, 33]);
  expect(texts.map(({ tokens, maxTokens }) => [tokens, maxTokens])).toEqual([
    [25, 5],
    [23, 6],
    [33, 7],
  ]);
  const words = texts.map(({ text }) => text.split(' '));
  expect(words[0]!.slice(0, 20)).toEqual(words[1]!.slice(0, 20));
  expect(words[0]!.slice(0, 10)).toEqual(words[2]!.slice(0, 10));
  expect(words[0]!.slice(10, 20)).not.toEqual(words[2]!.slice(10, 20));
  expect(inputs.startsMs).toEqual([0, 1000, 2500]);
});

test('a trace repeats with the seed', async () => {
  const path = jsonl(...lines);
  const all = async (seed: number) => {
    const inputs = await traceInputs(path, { seed });
    return JSON.stringify([0, 1, 2].map(index => inputs.conversation(index)));
  };
  expect(await all(1)).toBe(await all(1));
  expect(await all(1)).not.toBe(await all(2));
});

test('a window of the trace', async () => {
  const inputs = await traceInputs(jsonl(...lines), { startMs: 2500, endMs: 4500 });
  expect(inputs.startsMs).toEqual([500, 2000]);
});

test('a window in which there is nothing', async () => {
  await expect(traceInputs(jsonl(...lines), { startMs: 5000 })).rejects.toThrow(
    / has nothing from 5000 ms on; its timestamps are from 2000 to 4500 ms$/,
  );
});

test('in another order', async () => {
  const inputs = await traceInputs(jsonl(...lines), { sampling: 'random', seed: 1 });
  const ids = Array.from({ length: 30 }, (_, index) => inputs.conversation(index).id);
  expect(new Set(ids)).toEqual(new Set(['line-1', 'line-2', 'line-3']));
  expect(ids.slice(0, 9)).not.toEqual(Array.from({ length: 9 }, (_, index) => `line-${1 + (index % 3)}`));
  expect(inputs.startsMs).toBeUndefined();
});

test('sessions, own texts, no timestamps', async () => {
  const inputs = await traceInputs(
    jsonl(
      { session_id: 'a', input_length: 3, output_length: 2 },
      { session_id: 'b', text_input: 'own words' },
      { session_id: 'a', input_length: 4, delay: 20 },
    ),
  );
  expect([inputs.size, inputs.startsMs]).toEqual([2, undefined]);
  const { id, turns } = inputs.conversation(0);
  expect([id, turns.map(({ text }) => text.split(' ').length), turns[1]!.delayMs]).toEqual(['a', [3, 4], 20]);
  expect(inputs.conversation(1).turns).toEqual([{ text: 'own words' }]);
});

test.each([
  [{ timestamp: 1 }, /:1: there is no input_length/],
  [{ input_length: 'x' }, /:1: input_length is "x"/],
  [{ input_length: 2.5 }, /:1: input_length is 2.5; a whole number from 0 to 10000000/],
  [{ input_length: 1e9 }, /:1: input_length is 1000000000; a whole number/],
  [{ input_length: 5, output_length: 0.5 }, /:1: output_length is 0.5; a whole number/],
  [{ input_length: 5, hash_ids: ['a'] }, /:1: hash_ids must be a list of numbers/],
])('refuses %j', async (line, message) => {
  await expect(traceInputs(jsonl(line))).rejects.toThrow(message);
});
