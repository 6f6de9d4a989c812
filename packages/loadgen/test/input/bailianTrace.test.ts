import { expect, test } from 'vitest';
import { readBailianTrace } from '../../src/input/bailianTrace.ts';
import { openTraceInputs } from '../../src/input/traceInputs.ts';
import { writeJsonl } from '../support/files.ts';

function createLine(chat: number, parent: number, turn: number, fields: object = {}): object {
  const lengths = { timestamp: chat / 10, input_length: 32, output_length: 5 };
  return {
    chat_id: chat,
    parent_chat_id: parent,
    turn,
    type: 'text',
    ...lengths,
    hash_ids: [1, chat],
    ...fields,
  };
}

test('requests that follow each other are the turns of a conversation', async () => {
  const path = writeJsonl(
    createLine(3, 2, 3),
    createLine(1, -1, 1),
    createLine(4, -1, 1),
    createLine(2, 1, 2),
  );
  const inputs = await openTraceInputs(path, { type: 'bailian_trace' });
  const conversations = [0, 1].map(index => inputs.getConversation(index));
  expect(conversations.map(({ id, turns }) => [id, turns.map(({ atMs }) => atMs)])).toEqual([
    ['1', [undefined, 100, 200]],
    ['4', [undefined]],
  ]);
  expect(inputs.startsMs).toEqual([0, 300]);
});

test('timestamps are in seconds, and blocks have 16 tokens', async () => {
  const path = writeJsonl(createLine(1, -1, 1), createLine(2, -1, 1, { timestamp: 1.6 }));
  expect((await readBailianTrace(path)).map(({ timestamp }) => timestamp)).toEqual([100, 1600]);
  const inputs = await openTraceInputs(path, { type: 'bailian_trace', seed: 1 });
  const words = [0, 1].map(index => inputs.getConversation(index).turns[0]!.text.split(' '));
  expect(words[0]!.slice(0, 16)).toEqual(words[1]!.slice(0, 16));
  expect(words[0]!.slice(16)).not.toEqual(words[1]!.slice(16));
});

test('reads requests whose parents form a cycle, or are not in the file', async () => {
  const path = writeJsonl(createLine(1, 2, 1), createLine(2, 1, 2), createLine(5, 9, 1), createLine(6, 6, 1));
  const sessions = (await readBailianTrace(path)).map(({ session }) => session);
  expect(sessions).toHaveLength(4);
  expect(sessions[1]).toBe('5');
  expect(sessions[2]).toBe('6');
});

test.each([
  [{ timestamp: undefined }, 'missing timestamp; expected a number of seconds'],
  [{ chat_id: 'a' }, 'chat_id is "a"; expected an integer'],
  [{ chat_id: undefined }, 'missing chat_id; expected an integer'],
  [{ input_length: undefined }, 'missing input_length; expected a number of tokens'],
  [{ hash_ids: ['a'] }, 'hash_ids must be a list of numbers'],
])('rejects a line with %j', async (fields, message) => {
  const path = writeJsonl(createLine(1, -1, 1, fields));
  await expect(readBailianTrace(path)).rejects.toThrow(`${path}:1: ${message}`);
});

test('rejects a prompt with more blocks than tokens', async () => {
  const path = writeJsonl(createLine(1, -1, 1, { hash_ids: [1, 2, 3] }));
  await expect(openTraceInputs(path, { type: 'bailian_trace' })).rejects.toThrow(
    `${path}:1: hash_ids has 3 blocks of 16 tokens, but input_length is 32; expected at most 2`,
  );
});
