import { truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';
import { writeTempFile } from '../support/files.ts';
import { WORD_TOKENIZER } from '../support/tokenizer.ts';

test.each([
  ['', 0],
  ['hello world', 2],
  ['<|endoftext|>', 7],
])('the built-in tokenizer counts the tokens of %j as %d', async (text, tokens) => {
  const tokenizer = await openTokenizer();
  expect(tokenizer.name).toBe('o200k_base');
  expect(tokenizer.count(text)).toBe(tokens);
});

test('opens a tokenizer.json by its path or its folder', async () => {
  const path = writeTempFile('tokenizer.json', JSON.stringify(WORD_TOKENIZER));
  for (const name of [path, dirname(path)]) {
    const tokenizer = await openTokenizer(name);
    expect([tokenizer.name, tokenizer.count('the batch waits.'), tokenizer.count('')]).toEqual([name, 4, 0]);
  }
});

test.each([
  ['an invalid file', '{"model": ', /^invalid tokenizer ".*tokenizer\.json": invalid JSON: /],
  [
    'an unknown type',
    '{"model": {"type": "Nonsense"}}',
    /^invalid tokenizer ".*tokenizer\.json": unsupported tokenizer: /,
  ],
])('rejects %s', async (_, text, message) => {
  await expect(openTokenizer(writeTempFile('tokenizer.json', text))).rejects.toThrow(message);
});

test.skipIf(process.platform === 'win32')('rejects a device without reading it', async () => {
  await expect(openTokenizer('/dev/zero')).rejects.toThrow(
    'invalid tokenizer "/dev/zero": is a device, not a file; expected o200k_base',
  );
});

test('rejects a file of more than 512 MiB without reading it', async () => {
  const path = writeTempFile('tokenizer.json', '{}');
  truncateSync(path, 2 ** 29 + 1);
  await expect(openTokenizer(path)).rejects.toThrow('": is larger than 512 MiB; expected o200k_base');
});

test('rejects a missing file and lists the accepted values', async () => {
  await expect(openTokenizer('/nowhere/tokenizer.json')).rejects.toThrow(
    'invalid tokenizer "/nowhere/tokenizer.json": no such file or folder; expected o200k_base, or the path of a tokenizer.json or of its folder',
  );
});
