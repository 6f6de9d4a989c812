import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openPoolInputs } from '../../src/input/poolInputs.ts';
import { writeJsonl, writeTempFile } from '../support/files.ts';

const TEXTS = ['alpha', 'beta', 'gamma'];

function writePool(...texts: readonly unknown[]): string {
  return writeJsonl(...texts.map(text => ({ text })));
}

function writeFolder(files: Readonly<Record<string, string>>): string {
  const folder = join(dirname(writeTempFile('unused', '')), 'pool');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('draws prompts with replacement', async () => {
  const inputs = await openPoolInputs(writePool(...TEXTS), { entries: 300, seed: 1 });
  const drawn = Array.from({ length: 300 }, (_, index) => inputs.getConversation(index).turns[0]!.text);
  for (const text of TEXTS) expect(drawn.filter(other => other === text).length).toBeGreaterThan(60);
  expect(drawn.some((text, index) => text === drawn[index + 1])).toBe(true);
  expect(inputs.getConversation(301)).toEqual(inputs.getConversation(1));
});

test('draws 100 conversations by default, the same for the same seed', async () => {
  const path = writePool(...TEXTS);
  const draw = async (seed: number) => {
    const inputs = await openPoolInputs(path, { seed });
    expect(inputs.size).toBe(100);
    return Array.from({ length: 100 }, (_, index) => inputs.getConversation(index).turns[0]!.text).join();
  };
  expect(await draw(1)).toBe(await draw(1));
  expect(await draw(1)).not.toBe(await draw(2));
});

test('a request has one line of each file of a folder, in the order of the names', async () => {
  const folder = writeFolder({
    'queries.jsonl': '{"texts": ["q1", "q2"]}\n',
    'passages.jsonl': '{"texts": [{"name": "p", "contents": ["p1"]}]}\n',
    'empty.jsonl': '\n',
  });
  const inputs = await openPoolInputs(folder, { outputTokens: { mean: 5 } });
  expect(inputs.getConversation(7).turns).toEqual([
    { text: 'p1', contents: { texts: ['p1', 'q1', 'q2'] }, maxTokens: 5 },
  ]);
});

test.each([
  ['{"text": 1}', 'text is 1; expected a string'],
  ['{"texts": []}', 'missing prompt; expected a string field "text" or "prompt", or a list "texts"'],
  [
    '{"texts": [{"contents": 1}]}',
    'texts[0] is {"contents":1}; expected a string, or an object with a list "contents"',
  ],
  ['{"text": "a", "texts": ["b"]}', 'the fields text and texts exclude each other'],
  ['{"text": "a", "delay": 3}', 'unknown field "delay"; expected one of text, prompt, texts, image'],
])('rejects the line %s', async (line, message) => {
  const path = writeJsonl({ text: 'a' }, line);
  await expect(openPoolInputs(path)).rejects.toThrow(`${path}:2: ${message}`);
});

test('rejects a folder without files, and a file without prompts', async () => {
  await expect(openPoolInputs(writeFolder({}))).rejects.toThrow(/pool is a folder without files$/);
  await expect(openPoolInputs(writeTempFile('empty.jsonl', '\n'))).rejects.toThrow(/contains no prompts/);
});
