import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from '../src/folder.ts';

const root = mkdtempSync(join(tmpdir(), 'folder-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('all levels are made, twice is no harm', async () => {
  const folder = join(root, 'a/b/c');
  await Promise.all([makeFolder(folder), makeFolder(folder)]);
  await makeFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

test.each(['/dev/null/x', '/proc/nothing/here'])('%s cannot be, and says so at once', async folder => {
  await expect(makeFolder(folder)).rejects.toThrow(`cannot use the artifact folder ${folder}: E`);
});

test('a file in the place of a folder', async () => {
  writeFileSync(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file'))).rejects.toThrow(/EEXIST|ENOTDIR/);
});
