import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openInputsJson, openPayloadInputs } from '../../src/input/payloadInputs.ts';
import { writeJsonl, writeTempFile } from '../support/files.ts';

const hello = { model: 'x', messages: [{ role: 'user', content: 'hello' }], stream: true };
const parts = {
  messages: [
    { role: 'system', content: 's' },
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
  ],
};

test('each line of a file is a conversation of one turn', async () => {
  const inputs = await openPayloadInputs(writeJsonl(hello, '', parts));
  expect(inputs.size).toBe(2);
  expect(inputs.getConversation(0).turns).toEqual([
    { text: 'hello', payload: hello, isComplete: true, model: 'x' },
  ]);
  expect(inputs.getConversation(1).turns).toEqual([{ text: 's\nhi', payload: parts, isComplete: true }]);
  expect(inputs.startsMs).toBeUndefined();
});

test('each file of a folder is a conversation, in the order of the names', async () => {
  const folder = join(dirname(writeTempFile('unused', '')), 'payloads');
  mkdirSync(folder);
  writeFileSync(join(folder, 'b.jsonl'), JSON.stringify(parts));
  writeFileSync(join(folder, 'a.jsonl'), `${JSON.stringify(hello)}\n${JSON.stringify(parts)}\n`);
  writeFileSync(join(folder, 'notes.txt'), 'not read');
  const inputs = await openPayloadInputs(folder);
  const conversations = [0, 1].map(index => inputs.getConversation(index));
  expect(conversations.map(({ id, turns }) => [id, turns.map(({ payload }) => payload)])).toEqual([
    ['a', [hello, parts]],
    ['b', [parts]],
  ]);
});

test.each([
  ['{"model": "x"}', /:1: messages is undefined; expected a list of at least one message of a chat$/],
  ['{"messages": [1]}', /:1: invalid message 1; expected an object with a role$/],
  ['[]', /:1: the line is not a JSON object$/],
])('rejects the line %s', async (line, message) => {
  await expect(openPayloadInputs(writeJsonl(line))).rejects.toThrow(message);
});

test('bodies for the API raw may be any objects', async () => {
  const inputs = await openPayloadInputs(writeJsonl({ a: 1 }, {}), { endpoint: 'raw' });
  expect([0, 1].map(index => inputs.getConversation(index).turns[0]!.payload)).toEqual([{ a: 1 }, {}]);
  await expect(openPayloadInputs(writeJsonl([1]), { endpoint: 'raw' })).rejects.toThrow(/not a JSON object/);
  await expect(openPayloadInputs(writeJsonl({ a: 1 }), { endpoint: 'chat' })).rejects.toThrow(
    /:1: messages is/,
  );
});

test('each session of an inputs.json is a conversation', async () => {
  const data = [
    { session_id: 'a', payloads: [hello, { prompt: 'next' }] },
    { session_id: 'b', payloads: [{ input: ['one', 'two'] }] },
  ];
  const inputs = await openInputsJson(writeTempFile('inputs.json', JSON.stringify({ data }, null, 2)));
  const conversations = [0, 1].map(index => inputs.getConversation(index));
  expect(conversations.map(({ id, turns }) => [id, turns.map(({ text }) => text)])).toEqual([
    ['a', ['hello', 'next']],
    ['b', ['one\ntwo']],
  ]);
  expect(conversations[0]!.turns[0]!.payload).toEqual(hello);
});

test.each([
  ['{"payloads": [{}]}', 'missing session_id; expected a string'],
  ['{"session_id": "a"}', 'missing payloads; expected a list of at least one request body'],
  ['{"session_id": "a", "payloads": []}', 'missing payloads; expected a list of at least one request body'],
  [
    '{"session_id": "a", "payloads": [{}]},\n{"session_id": "a", "payloads": [{}]}',
    'session_id "a" is used more than once; expected a different one for each session',
  ],
])('rejects the sessions %s', async (sessions, message) => {
  const path = writeTempFile('inputs.json', `{"data": [\n${sessions}]}`);
  const line = sessions.split('\n').length + 1;
  await expect(openInputsJson(path)).rejects.toThrow(`${path}:${line}: ${message}`);
});
