import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder, removeStaleFiles } from '../../src/lifecycle/artifactFolder.ts';

const root = mkdtempSync(join(tmpdir(), 'folder-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('creates all levels of a path, and accepts a folder that exists', async () => {
  const folder = join(root, 'a/b/c');
  await Promise.all([makeFolder(folder), makeFolder(folder)]);
  await makeFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

test.each(['/dev/null/x', '/proc/nothing/here'])(
  'immediately rejects %s, which cannot be created',
  async folder => {
    await expect(makeFolder(folder)).rejects.toThrow(
      /^cannot use the artifact folder "\/(dev|proc)[^:]*": .*(is not a folder|no such file or folder)$/,
    );
  },
);

// Root can write to any folder.
test.skipIf(process.getuid?.() === 0)('rejects a folder that is not writable', async () => {
  const folder = join(root, 'closed');
  mkdirSync(folder, { mode: 0o555 });
  await expect(makeFolder(folder)).rejects.toThrow(
    `cannot use the artifact folder "${folder}": permission denied`,
  );
});

test('rejects the path of a file', async () => {
  writeFileSync(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file'))).rejects.toThrow(/: not a folder$/);
});

test('removes only incomplete exports of processes that have ended', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stale-'));
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const kept = [
    `.server_metrics_export.json.${process.pid}.0123456789ab.tmp`,
    `.server_metrics_export.json.${pid}.tmp`,
    `notes.${pid}.0123456789ab.tmp`,
    'server_metrics_export.json',
  ];
  for (const name of [...kept, `.server_metrics_export.json.${pid}.0123456789ab.tmp`])
    writeFileSync(join(folder, name), '');
  expect(removeStaleFiles(folder)).toBe(1);
  expect(readdirSync(folder).sort()).toEqual([...kept].sort());
  rmSync(folder, { recursive: true });
});
