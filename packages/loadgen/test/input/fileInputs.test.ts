import { expect, test } from 'vitest';
import { openFileInputs } from '../../src/input/fileInputs.ts';
import { writeJsonl } from '../support/files.ts';

test('reads single turns, with the field names of several tools', async () => {
  const inputs = await openFileInputs(
    writeJsonl(
      { text: 'a', output_length: 9 },
      '',
      { prompt: 'b', role: 'system', model: 'x' },
      { texts: ['c'], max_tokens: 3, id: 'third' },
    ),
  );
  expect(inputs.size).toBe(3);
  expect(inputs.startsMs).toBeUndefined();
  expect([0, 1, 2, 3].map(index => inputs.getConversation(index))).toEqual([
    { id: 'line-1', turns: [{ text: 'a', maxTokens: 9 }] },
    { id: 'line-3', turns: [{ text: 'b', role: 'system', model: 'x' }] },
    { id: 'third', turns: [{ text: 'c', maxTokens: 3 }] },
    { id: 'line-1', turns: [{ text: 'a', maxTokens: 9 }] },
  ]);
});

test('turns without an output length get one, the same in each pass', async () => {
  const path = writeJsonl(
    { text: 'a', output_length: 9 },
    { text: 'b' },
    { session_id: 's', turns: ['c', 'd'] },
  );
  const inputs = await openFileInputs(path, { outputTokens: { mean: 30, stddev: 10 }, seed: 7 });
  const read = (index: number) => inputs.getConversation(index).turns.map(({ maxTokens }) => maxTokens);
  expect(read(0)).toEqual([9]);
  expect(read(1)[0]).toBeGreaterThan(0);
  expect(new Set([...read(1), ...read(2)]).size).toBeGreaterThan(1);
  expect([read(3), read(4), read(5)]).toEqual([read(0), read(1), read(2)]);
  const fixed = await openFileInputs(path, { outputTokens: { mean: 30 } });
  expect(fixed.getConversation(2).turns).toMatchObject([{ maxTokens: 30 }, { maxTokens: 30 }]);
});

test('reads several turns from one line or several lines', async () => {
  const inputs = await openFileInputs(
    writeJsonl(
      { session_id: 's', system: 'be kind', turns: ['one', { text: 'two', delay: 250 }] },
      { session_id: 't', text: 'first' },
      { session_id: 't', text: 'second', delay: 10 },
    ),
  );
  expect(inputs.size).toBe(2);
  expect(inputs.getConversation(0)).toEqual({
    id: 's',
    system: 'be kind',
    turns: [{ text: 'one' }, { text: 'two', delayMs: 250 }],
  });
  expect(inputs.getConversation(1)).toEqual({
    id: 't',
    turns: [{ text: 'first' }, { text: 'second', delayMs: 10 }],
  });
});

test('lines of single turns with the same session are sent one after the other, without the earlier ones', async () => {
  const path = writeJsonl(
    { session_id: 't', text: 'first' },
    { session_id: 't', text: 'second' },
    { text: 'third' },
  );
  const inputs = await openFileInputs(path, { allowsTurns: false });
  expect(inputs.getConversation(0)).toEqual({
    id: 't',
    sendsHistory: false,
    turns: [{ text: 'first' }, { text: 'second' }],
  });
  expect(inputs.getConversation(1)).not.toHaveProperty('sendsHistory');
});

test('sorts conversations by timestamp, and makes the timestamps relative to the first', async () => {
  const inputs = await openFileInputs(
    writeJsonl({ text: 'b', timestamp: 1500 }, { text: 'a', timestamp: 1000 }),
  );
  expect(inputs.startsMs).toEqual([0, 500]);
  expect(inputs.getConversation(0).turns[0]!.text).toBe('a');
});

test.each([
  ['{"text": "a"}\n{"text": ', /inputs\.jsonl:2: invalid JSON/],
  ['[1]', /:1: the line is not a JSON object/],
  ['{"role": "user"}', /:1: missing prompt; expected a string field "text" or "prompt"/],
  ['{"turns": [null]}', /:1: invalid turn null; expected a string or an object/],
  ['{"turns": [5]}', /:1: invalid turn 5; expected a string or an object/],
  ['{"turns": []}', /:1: turns must be a list of at least one turn/],
  ['{"text": "a", "delay": "long"}', /:1: delay is "long"; expected a number of at least 0/],
  ['{"text": "a", "role": 7}', /:1: role is 7; expected a string/],
  ['{"turns": ["a"], "image": "x.png"}', /:1: field "image" is not supported in this format/],
  ['{"turns": [{"text": "a", "video": "x"}]}', /:1: video is "x", which cannot be read/],
  ['{"text": "a", "content": "b"}', /:1: unknown field "content"; expected one of text, prompt/],
  ['{"turns": ["a"], "model": "m"}', /:1: unknown field "model"; expected one of turns/],
  ['{"text": "a", "prompt": "b"}', /:1: the fields text and prompt exclude each other/],
  [
    '{"text": "a", "max_tokens": 1, "output_length": 2}',
    /:1: the fields output_length and max_tokens exclude each other/,
  ],
  [
    '{"turns": ["a", {"text": "b", "delay": 1, "timestamp": 5}]}',
    /:1: the fields timestamp and delay exclude/,
  ],
  ['{"text": "a"}\n{"text": "b", "delay": 5}', /:2: delay is 5, .* the first turn of its conversation/],
  ['{"turns": [{"text": "a", "delay": 5}, "b"]}', /:1: delay is 5, .* the first turn of its conversation/],
  ['\n\n', /contains no conversations/],
])('rejects %j', async (text, message) => {
  await expect(openFileInputs(writeJsonl(text))).rejects.toThrow(message);
});

test('rejects several turns in a file of single turns', async () => {
  const path = writeJsonl({ text: 'a' }, { turns: ['b', 'c'] });
  await expect(openFileInputs(path, { allowsTurns: false })).rejects.toThrow(/:2: the line has turns/);
  expect((await openFileInputs(path)).size).toBe(2);
});

test('ignores a byte order mark', async () => {
  const inputs = await openFileInputs(writeJsonl('\uFEFF{"text": "a"}\r\n{"text": "b"}'));
  expect([0, 1].map(index => inputs.getConversation(index).turns[0]!.text)).toEqual(['a', 'b']);
});

test('keeps the send times of later turns', async () => {
  const inputs = await openFileInputs(
    writeJsonl(
      {
        turns: [
          { text: 'a', timestamp: 900 },
          { text: 'b', timestamp: 1100 },
          { text: 'c', delay: 7 },
        ],
      },
      { text: 'd', timestamp: 400 },
    ),
  );
  expect(inputs.startsMs).toEqual([0, 500]);
  expect(inputs.getConversation(1).turns).toEqual([
    { text: 'a' },
    { text: 'b', atMs: 700 },
    { text: 'c', delayMs: 7 },
  ]);
});

test('reports the path of a missing file', async () => {
  await expect(openFileInputs('/nowhere/inputs.jsonl')).rejects.toThrow('/nowhere/inputs.jsonl');
});

test('rejects a file without line ends', async () => {
  await expect(openFileInputs('/dev/zero')).rejects.toThrow('/dev/zero has a line of more than 128 MiB');
});
