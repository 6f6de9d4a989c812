import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openTokenizer } from '../../src/tokens/openTokenizer.ts';
import { file } from '../support/files.ts';
import { WORDS } from '../support/tokenizer.ts';

test('reads a tokenizer.json, by its path or its folder', async () => {
  const path = file('tokenizer.json', JSON.stringify(WORDS));
  for (const name of [path, dirname(path)]) {
    const tokenizer = await openTokenizer(name);
    expect([tokenizer.name, tokenizer.count('the batch waits.'), tokenizer.count('')]).toEqual([name, 4, 0]);
  }
});

test.each([
  ['{"model": ', /cannot read tokenizer ".*tokenizer\.json"/],
  ['{"model": {"type": "Nonsense"}}', /is no tokenizer\.json that can be used/],
])('refuses %s', async (text, message) => {
  await expect(openTokenizer(file('tokenizer.json', text))).rejects.toThrow(message);
});

test('names the file that is not there', async () => {
  await expect(openTokenizer('/nowhere/tokenizer.json')).rejects.toThrow(
    /cannot read tokenizer "\/nowhere\/tokenizer\.json": ENOENT.*; o200k_base, or the path of a tokenizer\.json or its folder, is accepted$/,
  );
});
