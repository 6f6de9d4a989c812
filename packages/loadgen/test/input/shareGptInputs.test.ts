import { expect, test } from 'vitest';
import { openShareGptInputs } from '../../src/input/shareGptInputs.ts';
import { writeTempFile } from '../support/files.ts';

const words = (count: number) => Array.from({ length: count }, () => 'w').join(' ');
const human = (count: number) => ({ from: 'human', value: words(count) });
const gpt = (count: number) => ({ from: 'gpt', value: words(count) });

function writeConversations(...conversations: readonly unknown[]): string {
  return writeTempFile(
    'sharegpt.json',
    JSON.stringify(conversations.map(messages => ({ conversations: messages }))),
  );
}

async function readLengths(...conversations: readonly unknown[]) {
  const inputs = await openShareGptInputs(writeConversations(...conversations));
  return Array.from({ length: inputs.size! }, (_, index) =>
    inputs.getConversation(index).turns.map(({ tokens, maxTokens }) => [tokens, maxTokens]),
  );
}

test('each pair of a question and a response is a turn, with the length of the response', async () => {
  const conversation = [gpt(9), human(5), gpt(6), human(7), human(8), gpt(4)];
  expect(await readLengths(conversation)).toEqual([
    [
      [5, 6],
      [8, 4],
    ],
  ]);
});

test('messages without roles are a question and a response', async () => {
  expect(await readLengths([{ value: words(4) }, { value: words(5) }, { value: words(6) }])).toEqual([
    [[4, 5]],
  ]);
});

test.each([
  ['a short prompt', [human(3), gpt(6)]],
  ['a short response', [human(6), gpt(3)]],
  ['a long prompt', [human(1025), gpt(6)]],
  ['a long conversation', [human(1024), gpt(1025)]],
  ['one message', [human(5)]],
])('leaves out a conversation with %s', async (_, conversation) => {
  expect(await readLengths(conversation, [human(1024), gpt(1024)])).toEqual([[[1024, 1024]]]);
});

test('the output length replaces the length of responses, which may then be short', async () => {
  const path = writeConversations([human(5), gpt(1)]);
  const inputs = await openShareGptInputs(path, { outputTokens: { mean: 50 } });
  expect(inputs.getConversation(0).turns[0]).toMatchObject({ tokens: 5, maxTokens: 50 });
});

test.each([
  ['[{"id": 1}]', /json:1: missing conversations; expected a list of messages$/],
  ['[{"conversations": [1]}]', /json:1: conversations must be a list of objects with from and value$/],
  ['[\n{"conversations": }]', /json:2: invalid JSON: /],
  ['[{"conversations": []}]', /has 1 conversations, but none of them has prompts of 4 to 1024 tokens/],
])('rejects the file %s', async (text, message) => {
  await expect(openShareGptInputs(writeTempFile('sharegpt.json', text))).rejects.toThrow(message);
});
