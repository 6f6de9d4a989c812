import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listMatchingFiles } from '../../src/sources/filePattern.ts';

const folder = mkdtempSync(join(tmpdir(), 'pattern-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const name of ['a.json', 'b.json', 'c.yml', 'a+1.json', 'ab.json'])
  writeFileSync(join(folder, name), '');
mkdirSync(join(folder, '[x]'));

test.each([
  ['*.json', ['a+1.json', 'a.json', 'ab.json', 'b.json']],
  ['?.json', ['a.json', 'b.json']],
  ['[ab].json', ['a.json', 'b.json']],
  ['[!a].json', ['b.json']],
  ['a+*', ['a+1.json']],
  ['*.toml', []],
  ['none.json', ['none.json']],
])('%s matches %j', (pattern, names) => {
  expect(listMatchingFiles(join(folder, pattern)).map(path => basename(path))).toEqual(names);
});

test('patterns in the names of folders are not expanded', () => {
  writeFileSync(join(folder, '[x]', 'a.json'), '');
  expect(listMatchingFiles(join(folder, '[x]', '*.json'))).toEqual([join(folder, '[x]', 'a.json')]);
});

test('throws a system error if the folder does not exist', () => {
  expect(() => listMatchingFiles(join(folder, 'none', '*.json'))).toThrow(/ENOENT/);
});
