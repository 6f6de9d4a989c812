import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder, makeUniqueFolder } from '../../src/lifecycle/artifactFolder.ts';

const root = mkdtempSync(join(tmpdir(), 'folder-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('all levels are made, twice is no harm', async () => {
  const folder = join(root, 'a/b/c');
  await Promise.all([makeFolder(folder), makeFolder(folder)]);
  await makeFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

test.each(['/dev/null/x', '/proc/nothing/here'])('%s cannot be, and says so at once', async folder => {
  await expect(makeFolder(folder)).rejects.toThrow(
    /^cannot use the artifact folder "\/(dev|proc)[^:]*": [a-z ]+$/,
  );
});

// Root may write wherever it likes.
test.skipIf(process.getuid?.() === 0)('a folder that nothing can be written to', async () => {
  const folder = join(root, 'closed');
  mkdirSync(folder, { mode: 0o555 });
  await expect(makeFolder(folder)).rejects.toThrow(
    `cannot use the artifact folder "${folder}": permission denied`,
  );
});

test('a file in the place of a folder', async () => {
  writeFileSync(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file'))).rejects.toThrow(/the file already exists|no folder/);
});

test('a folder of its own for everyone who asks at the same moment', async () => {
  const folder = join(root, 'runs/collect-1');
  const folders = await Promise.all(Array.from({ length: 5 }, () => makeUniqueFolder(folder)));
  expect(folders.sort()).toEqual([folder, ...[2, 3, 4, 5].map(n => `${folder}-${n}`)]);
  for (const made of folders) expect(existsSync(made)).toBe(true);
});

test('a folder of its own cannot be everywhere', async () => {
  await expect(makeUniqueFolder('/dev/null/x/y')).rejects.toThrow('cannot use the artifact folder');
});
