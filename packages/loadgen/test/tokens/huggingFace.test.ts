import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openTokenizer } from '../../src/tokens/openTokenizer.ts';
import { writeTempFile } from '../support/files.ts';
import { WORD_TOKENIZER } from '../support/tokenizer.ts';

test('opens a tokenizer.json by its path or its folder', async () => {
  const path = writeTempFile('tokenizer.json', JSON.stringify(WORD_TOKENIZER));
  for (const name of [path, dirname(path)]) {
    const tokenizer = await openTokenizer(name);
    expect([tokenizer.name, tokenizer.count('the batch waits.'), tokenizer.count('')]).toEqual([name, 4, 0]);
  }
});

test.each([
  ['{"model": ', /cannot read tokenizer ".*tokenizer\.json"/],
  ['{"model": {"type": "Nonsense"}}', /is not a supported tokenizer\.json/],
])('rejects %s', async (text, message) => {
  await expect(openTokenizer(writeTempFile('tokenizer.json', text))).rejects.toThrow(message);
});

test('names a missing file', async () => {
  await expect(openTokenizer('/nowhere/tokenizer.json')).rejects.toThrow(
    /cannot read tokenizer "\/nowhere\/tokenizer\.json": ENOENT.*; expected o200k_base, or the path of a tokenizer\.json or of its folder$/,
  );
});
