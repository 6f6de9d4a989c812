import { expect, test } from 'vitest';
import { readJsonLines, readOptionalNumber, readOptionalText } from '../../src/input/inputFile.ts';
import { writeJsonl } from '../support/files.ts';

test('includes empty lines in line numbers', async () => {
  const path = writeJsonl({ a: 1 }, '', { a: 2 });
  expect(await readJsonLines(path, (line, number) => [line.a, number])).toEqual([
    [1, 1],
    [2, 3],
  ]);
});

test('lines end only at line feeds', async () => {
  const path = writeJsonl(
    '{"text": "a\u2028b\u2029c",\r"delay": 1}',
    { text: 'é'.repeat(100_000) },
    '{"text": "d"}\r',
  );
  expect(await readJsonLines(path, ({ text }) => text)).toEqual([
    'a\u2028b\u2029c',
    'é'.repeat(100_000),
    'd',
  ]);
});

test('rethrows errors other than input errors', async () => {
  const parse = (): never => {
    throw new TypeError('bug');
  };
  await expect(readJsonLines(writeJsonl({}), parse)).rejects.toThrow(TypeError);
});

test('treats null as absent', () => {
  expect([readOptionalText({ a: null }, 'a'), readOptionalNumber({ a: null }, 'a')]).toEqual([
    undefined,
    undefined,
  ]);
});
