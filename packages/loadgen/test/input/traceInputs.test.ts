import { expect, test } from 'vitest';
import { openTraceInputs } from '../../src/input/traceInputs.ts';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';
import { writeJsonl } from '../support/files.ts';

const tokenizer = await openTokenizer();
const lines = [
  { timestamp: 2000, input_length: 25, output_length: 5, hash_ids: [1, 2, 3] },
  { timestamp: 3000, input_length: 23, output_length: 6, hash_ids: [1, 2, 4] },
  { timestamp: 4500, input_length: 33, output_length: 7, hash_ids: [1, 5] },
];

test('generates the same text for the same hash ids, with exact lengths', async () => {
  const inputs = await openTraceInputs(writeJsonl(...lines), { tokenizer, blockTokens: 10, seed: 3 });
  const texts = [0, 1, 2].map(index => inputs.getConversation(index).turns[0]!);
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

test('generates the same prompts for the same seed', async () => {
  const path = writeJsonl(...lines);
  const generateJson = async (seed: number) => {
    const inputs = await openTraceInputs(path, { seed, blockTokens: 10 });
    return JSON.stringify([0, 1, 2].map(index => inputs.getConversation(index)));
  };
  expect(await generateJson(1)).toBe(await generateJson(1));
  expect(await generateJson(1)).not.toBe(await generateJson(2));
});

test('selects a time range of the trace', async () => {
  const inputs = await openTraceInputs(writeJsonl(...lines), { startMs: 2500, endMs: 4500, blockTokens: 10 });
  expect(inputs.startsMs).toEqual([500, 2000]);
});

test('rejects a time range without entries', async () => {
  await expect(openTraceInputs(writeJsonl(...lines), { startMs: 5000, blockTokens: 10 })).rejects.toThrow(
    / has no entries from 5000 ms; its timestamps are from 2000 to 4500 ms$/,
  );
});

test('samples conversations in random order', async () => {
  const inputs = await openTraceInputs(writeJsonl(...lines), {
    sampling: 'random',
    seed: 1,
    blockTokens: 10,
  });
  const ids = Array.from({ length: 30 }, (_, index) => inputs.getConversation(index).id);
  expect(new Set(ids)).toEqual(new Set(['line-1', 'line-2', 'line-3']));
  expect(ids.slice(0, 9)).not.toEqual(Array.from({ length: 9 }, (_, index) => `line-${1 + (index % 3)}`));
  expect(inputs.startsMs).toBeUndefined();
});

test('reads sessions and prompt texts without timestamps', async () => {
  const inputs = await openTraceInputs(
    writeJsonl(
      { session_id: 'a', input_length: 3, output_length: 2 },
      { session_id: 'b', text_input: 'given prompt' },
      { session_id: 'a', input_length: 4, delay: 20 },
    ),
  );
  expect([inputs.size, inputs.startsMs]).toEqual([2, undefined]);
  const { id, turns } = inputs.getConversation(0);
  expect([id, turns.map(({ text }) => text.split(' ').length), turns[1]!.delayMs]).toEqual(['a', [3, 4], 20]);
  expect(inputs.getConversation(1).turns).toEqual([{ text: 'given prompt' }]);
});

test('requests without an output length get one, the same in each pass, except recorded bodies', async () => {
  const path = writeJsonl(
    { session_id: 's', input_length: 3, output_length: 2 },
    { session_id: 's', text_input: 'a' },
    { messages: [{ role: 'user', content: 'b' }] },
    { payload: { prompt: 'c' } },
  );
  const inputs = await openTraceInputs(path, { outputTokens: { mean: 300, stddev: 90 }, seed: 7 });
  const read = (index: number) => inputs.getConversation(index).turns.map(({ maxTokens }) => maxTokens);
  const [[given, drawn], [other], [recorded]] = [read(0), read(1), read(2)];
  expect([given, recorded]).toEqual([2, undefined]);
  expect(drawn).toBeGreaterThan(0);
  expect(other).not.toBe(drawn);
  expect([read(3), read(4)]).toEqual([read(0), read(1)]);
  const fixed = await openTraceInputs(path, { outputTokens: { mean: 30 } });
  expect(fixed.getConversation(0).turns.map(({ maxTokens }) => maxTokens)).toEqual([2, 30]);
});

test.each([
  [{ timestamp: 1 }, /:1: missing input_length; expected a number of tokens/],
  [{ input_length: 'x' }, /:1: input_length is "x"/],
  [{ input_length: 2.5 }, /:1: input_length is 2.5; expected an integer from 0 to 10000000/],
  [{ input_length: 1e9 }, /:1: input_length is 1000000000; expected an integer/],
  [{ input_length: 5, output_length: 0.5 }, /:1: output_length is 0.5; expected an integer/],
  [{ input_length: 5, hash_ids: ['a'] }, /:1: hash_ids must be a list of numbers/],
  [{ input_length: 5, delay: 7 }, /:1: delay is 7, .* the first turn of its conversation; use timestamp/],
  [{ input_length: 5, delay: 7, timestamp: 5 }, /:1: the fields timestamp and delay exclude each other/],
])('rejects %j', async (line, message) => {
  await expect(openTraceInputs(writeJsonl(line))).rejects.toThrow(message);
});

test.each([
  [
    { input_length: 512, hash_ids: [1, 2] },
    'hash_ids has 2 blocks of 512 tokens, but input_length is 512; expected at most 1',
  ],
  [{ input_length: 5, hash_ids: [1], image: 'x' }, 'field "image" is not supported in this format'],
  [{ input_length: 5, priority: 3 }, 'unknown field "priority"; expected one of timestamp'],
  [{ input_length: 5, text_input: 'a' }, 'the fields text_input and input_length exclude each other'],
])('refuses %j', async (line, message) => {
  await expect(openTraceInputs(writeJsonl(line))).rejects.toThrow(message);
});

test('sends recorded messages, request bodies and additional fields', async () => {
  const messages = [{ role: 'user', content: 'a' }];
  const tools = [{ type: 'function' }];
  const payload = { prompt: 'p' };
  const path = writeJsonl(
    { messages, tools, extra: { n: 1 }, output_length: 4 },
    { payload },
    { text_input: 't', extra: { n: 2 } },
  );
  const inputs = await openTraceInputs(path);
  expect([0, 1, 2].map(index => inputs.getConversation(index).turns)).toEqual([
    [{ text: 'a', messages, extra: { tools, n: 1 }, isComplete: true, maxTokens: 4 }],
    [{ text: 'p', payload, isComplete: true }],
    [{ text: 't', extra: { n: 2 } }],
  ]);
});

test.each([
  ['{"messages": []}', 'messages is []; expected a list of at least one message of a chat'],
  ['{"input_length": 1, "tools": [{}]}', 'tools require messages'],
  ['{"payload": {}, "text_input": "a"}', 'the fields text_input and payload exclude each other'],
  ['{"text_input": "a", "hash_ids": [1]}', 'hash_ids require input_length'],
])('rejects the line %s', async (line, message) => {
  const path = writeJsonl(line);
  await expect(openTraceInputs(path)).rejects.toThrow(`${path}:1: ${message}`);
});
