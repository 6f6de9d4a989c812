import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BatchSizes } from '../../src/input/poolBatches.ts';
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

describe('batch sizes', () => {
  const URLS = ['https://a/1.png', 'https://a/2.png', 'https://a/3.png'];
  const lines = URLS.map((image, index) => ({ text: TEXTS[index], image }));
  const draw = async (batchSizes: BatchSizes, ...pool: readonly unknown[]) => {
    const path = writeJsonl(...(pool.length > 0 ? pool : lines));
    const inputs = await openPoolInputs(path, { batchSizes, entries: 200, seed: 3 });
    return Array.from({ length: 200 }, (_, index) => inputs.getConversation(index).turns[0]!);
  };

  test('draw contents independently of the lines, with replacement', async () => {
    const turns = await draw({ texts: 2, images: 3 });
    for (const { text, contents } of turns) {
      expect(contents!.texts).toHaveLength(2);
      expect(contents!.texts![0]).toBe(text);
      expect(contents!.images).toHaveLength(3);
    }
    const texts = turns.flatMap(({ contents }) => contents!.texts!);
    for (const text of TEXTS) expect(texts.filter(other => other === text).length).toBeGreaterThan(80);
    const isPaired = turns.filter(({ text, contents }) => contents!.images![0] === URLS[TEXTS.indexOf(text)]);
    expect(isPaired.length).toBeGreaterThan(30);
    expect(isPaired.length).toBeLessThan(110);
  });

  test('draw one content of each kind without a size, and none of a kind with the size 0', async () => {
    for (const { text, contents } of await draw({ images: 2 })) {
      expect(TEXTS).toContain(text);
      expect(contents).toEqual({ images: [expect.any(String), expect.any(String)] });
    }
    for (const { text, contents } of await draw({ texts: 0 }))
      expect([text, contents]).toEqual(['', { images: [expect.any(String)] }]);
  });

  test('of 1, and of kinds that the pool does not have, leave the lines as they are', async () => {
    expect(await draw({ texts: 1, images: 1 })).toEqual(await draw({}));
    const texts = TEXTS.map(text => ({ text }));
    expect(await draw({ images: 0, audios: 4 }, ...texts)).toEqual(await draw({}, ...texts));
  });

  test.each<readonly [string, BatchSizes, readonly unknown[]]>([
    ['the batch sizes of all contents are 0', { texts: 0, images: 0 }, lines],
    [
      'batch sizes require texts without names; found the name "query"',
      { texts: 2 },
      [{ texts: [{ name: 'query', contents: ['a'] }] }],
    ],
    [
      'batch sizes require images without ids; found ["first"]',
      { images: 2 },
      [{ images: [URLS[0]], image_uuids: ['first'] }],
    ],
  ])('rejects a pool: %s', async (message, batchSizes, pool) => {
    await expect(draw(batchSizes, ...pool)).rejects.toThrow(message);
  });

  test('rejects several pools', async () => {
    const folder = writeFolder({ 'a.jsonl': '{"text": "a"}', 'b.jsonl': '{"text": "b"}' });
    const message = `${folder}: batch sizes require a single file`;
    await expect(openPoolInputs(folder, { batchSizes: { texts: 2 } })).rejects.toThrow(message);
  });
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
