import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { listRowFiles, type RowSelection } from '../../src/input/rowFiles.ts';
import { openRowInputs, type RowOptions } from '../../src/input/rowInputs.ts';
import { writeTempFile } from '../support/files.ts';

// Written by pyarrow: the column `question` with an empty text and a null, and the column `prompt` with lists of texts.
const ROWS = fileURLToPath(new URL('../files/rows.parquet', import.meta.url));
const TURNS = fileURLToPath(new URL('../files/turns.parquet', import.meta.url));

/** Creates a folder with files; their contents are texts, or those of `ROWS`. */
function writeFolder(files: Readonly<Record<string, string>>): string {
  const folder = dirname(writeTempFile('README.md', ''));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (text.endsWith('.parquet')) copyFileSync(text, join(folder, path));
    else writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function listPrompts(folder: string, options: Partial<RowOptions> = {}): Promise<string[][]> {
  const inputs = await openRowInputs(folder, { split: 'test', column: 'question', ...options });
  return Array.from({ length: inputs.size! }, (_, index) =>
    inputs.getConversation(index).turns.map(({ text }) => text),
  );
}

describe('the files of a split', () => {
  test.each<readonly [RowSelection, readonly string[], readonly string[]]>([
    [
      { split: 'test' },
      [
        'data/test-00001-of-00002.parquet',
        'data/test-00000-of-00002.parquet',
        'data/train-00000-of-00001.parquet',
      ],
      ['data/test-00000-of-00002.parquet', 'data/test-00001-of-00002.parquet'],
    ],
    [
      { split: 'test', subset: 'main' },
      ['main/test-00000-of-00001.parquet', 'socratic/test-00000-of-00001.parquet'],
      ['main/test-00000-of-00001.parquet'],
    ],
    [
      { split: 'test' },
      ['default/test/0000.parquet', 'default/train/0000.parquet'],
      ['default/test/0000.parquet'],
    ],
    [{ split: 'test' }, ['test.jsonl', 'latest.jsonl', 'testing/a.jsonl'], ['test.jsonl']],
    [{ split: 'train' }, ['raw/question.jsonl'], ['raw/question.jsonl']],
    [{ split: 'train' }, ['data/test-00000-of-00001.parquet'], []],
    [{ split: 'train' }, ['train-00000-of-00002.parquet'], []],
    [{ split: 'test', subset: 'data' }, ['main/data-test.jsonl', 'data/test.jsonl'], ['data/test.jsonl']],
    [{ split: 'train' }, ['train.json', 'train.parquet', 'dataset_infos.json'], ['train.parquet']],
    [{ split: 'test' }, ['raw/question.jsonl'], []],
    [{ split: 'test', subset: 'c++' }, ['c++/test.jsonl', 'c/test.jsonl'], ['c++/test.jsonl']],
  ])('%j of %j', (selection, paths, expected) => {
    const folder = writeFolder(Object.fromEntries(paths.map(path => [path, ''])));
    expect(listRowFiles(folder, selection)).toEqual(expected.map(path => join(folder, path)));
  });
});

test.each([
  ['Parquet', { 'data/test-00000-of-00001.parquet': ROWS }],
  [
    'JSON lines',
    { 'test.jsonl': '{"question":"What is 2 + 3?"}\n{"question":""}\n{"question":"What is 4 * 5?"}\n' },
  ],
  [
    'JSON lines in a .json file',
    { 'test.json': '{"question":"What is 2 + 3?"}\n{"question":"What is 4 * 5?"}' },
  ],
  [
    'a JSON list',
    { 'test.json': ' [{"question":"What is 2 + 3?"}, {"question":null},\n{"question":"What is 4 * 5?"}]' },
  ],
])('reads the prompts of %s, without the empty ones', async (_, files) => {
  expect(await listPrompts(writeFolder(files))).toEqual([['What is 2 + 3?'], ['What is 4 * 5?']]);
});

test('reads lists of texts as conversations', async () => {
  const folder = writeFolder({ 'data/train-00000-of-00001.parquet': TURNS });
  expect(await listPrompts(folder, { split: 'train', column: 'prompt' })).toEqual([
    ['Name a color.', 'Name another one.'],
    ['Write a poem.'],
  ]);
});

test('reads several files in their order, and sets the requested lengths', async () => {
  const folder = writeFolder({ 'test-1.jsonl': '{"question":"b"}', 'test-0.jsonl': '{"question":"a"}' });
  const inputs = await openRowInputs(folder, {
    split: 'test',
    column: 'question',
    outputTokens: { mean: 4 },
  });
  expect([0, 1].map(index => inputs.getConversation(index))).toEqual([
    { id: 'row-0', turns: [{ text: 'a', maxTokens: 4 }] },
    { id: 'row-1', turns: [{ text: 'b', maxTokens: 4 }] },
  ]);
});

test.each<readonly [string, Readonly<Record<string, string>>, Partial<RowOptions>, string]>([
  [
    'another column',
    { 'test.parquet': ROWS },
    { column: 'text' },
    'has no column "text"; its columns are "question", "answer", "id"',
  ],
  [
    'another column',
    { 'test.jsonl': '{"a":1}' },
    {},
    'test.jsonl:1: the row has no column "question"; its columns are "a"',
  ],
  [
    'a number',
    { 'test.jsonl': '{"question":7}' },
    {},
    'test.jsonl:1: question is 7; expected a text, or a list of texts',
  ],
  [
    'an integer of 64 bits',
    { 'test.parquet': ROWS },
    { column: 'id' },
    'test.parquet:1: id is 1234567890123456789; expected a text, or a list of texts',
  ],
  [
    'a list of numbers',
    { 'test.json': '[{"question":[1]}]' },
    {},
    'test.json:1: question is [1]; expected a text',
  ],
  ['invalid JSON', { 'test.jsonl': '{"question":' }, {}, 'test.jsonl:1: invalid JSON'],
  ['invalid Parquet', { 'test.parquet': '' }, {}, 'test.parquet cannot be read as Parquet'],
  [
    'an empty row',
    { 'test.jsonl': '{}' },
    {},
    'test.jsonl:1: the row has no column "question"; its columns are absent',
  ],
  [
    'the prompts of a ranking',
    { 'test.jsonl': '{"question":"a"}' },
    { endpoint: 'nim_rankings' },
    'test.jsonl:1: a text without a name for the API nim_rankings',
  ],
  [
    'missing images',
    { 'test.jsonl': '{"question":"a"}' },
    { endpoint: 'image_edit' },
    'test.jsonl:1: missing images',
  ],
  ['no files', {}, {}, 'has no prompts in Parquet or JSON files of the split "test"'],
  ['no subset', { 'test.jsonl': '' }, { subset: 'main' }, 'of the split "test" of the subset "main"'],
  ['only empty rows', { 'test.jsonl': '{"question":" "}' }, {}, 'has no prompts in Parquet or JSON files'],
])('rejects %s', async (_, files, options, message) => {
  const contents = Object.entries(files).map(([path, text]) => [
    path,
    text === '' && path.endsWith('.parquet') ? 'none' : text,
  ]);
  await expect(listPrompts(writeFolder(Object.fromEntries(contents)), options)).rejects.toThrow(message);
});
