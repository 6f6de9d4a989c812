import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { readJsonElements } from '../../src/input/jsonElements.ts';
import { writeTempFile } from '../support/files.ts';

async function readAll(text: string) {
  const elements: { readonly text: string; readonly line: number }[] = [];
  for await (const element of readJsonElements(writeTempFile('list.json', text))) elements.push(element);
  return elements;
}

/** Creates an object with brackets, quotes and escapes in strings, and lists and objects in it. */
function createObject(random: Random, index: number): object {
  const text = Array.from({ length: random.below(40) }, () => '"\\[]{},:a\n\u2028é'[random.below(12)]).join(
    '',
  );
  return { index, text, list: [[], {}, [text]], nested: { [text]: { text } } };
}

test.each([
  ['a list', (objects: readonly object[]) => JSON.stringify(objects)],
  ['a formatted list', (objects: readonly object[]) => JSON.stringify(objects, null, 2)],
  [
    'a field of an object',
    (objects: readonly object[]) => JSON.stringify({ version: '[{', data: objects }, null, 1),
  ],
])('reads the objects of %s', async (_, format) => {
  const random = new Random(5);
  const objects = Array.from({ length: 2_000 }, (_, index) => createObject(random, index));
  // Several chunks of the file are needed.
  const text = format(objects);
  expect(text.length).toBeGreaterThan(1 << 17);
  expect((await readAll(text)).map(element => JSON.parse(element.text))).toEqual(objects);
});

test('reports the line on which each object starts', async () => {
  const elements = await readAll('[\n{"a": 1},\n{\n"a": 2\n}, {"a": 3}]');
  expect(elements.map(({ line }) => line)).toEqual([2, 3, 5]);
});

test('rejects a file that ends within an object', async () => {
  await expect(readAll('[{"a": 1}, {"b": ')).rejects.toThrow(
    /list\.json:1: invalid JSON: the file ends within a list or an object$/,
  );
});
