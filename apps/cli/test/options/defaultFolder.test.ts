import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withRunFolder } from '../../src/options/defaultFolder.ts';
import { createIo } from '../support/io.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

/** Runs `work` with the default folder `artifacts/run` in a new working directory. */
async function runIn(cwd: string, work: (folder: string) => Promise<number>): Promise<number> {
  const folder = { folder: join(cwd, 'artifacts', 'run'), isDefault: true, quiet: true };
  return await withRunFolder(folder, createIo(cwd), work);
}

test('a failed command leaves no folder', async () => {
  const cwd = makeTestFolder();
  const failed = runIn(cwd, async folder => {
    expect(existsSync(folder)).toBe(true);
    throw new Error('failed');
  });
  await expect(failed).rejects.toThrow('failed');
  expect(await runIn(cwd, async () => 1)).toBe(1);
  expect(readdirSync(cwd)).toEqual([]);
});

test('files of a failed command, and folders of other runs, are kept', async () => {
  const cwd = makeTestFolder();
  await runIn(cwd, async folder => {
    writeFileSync(join(folder, 'journal'), '');
    return 1;
  });
  expect(readdirSync(join(cwd, 'artifacts', 'run'))).toEqual(['journal']);
  const other = makeTestFolder();
  mkdirSync(join(other, 'artifacts', 'earlier'), { recursive: true });
  await runIn(other, async () => 1);
  expect(readdirSync(join(other, 'artifacts'))).toEqual(['earlier']);
});

test('a folder that the user has chosen is not created or removed', async () => {
  const cwd = makeTestFolder();
  const folder = join(cwd, 'own');
  mkdirSync(folder);
  const code = await withRunFolder({ folder, isDefault: false, quiet: true }, createIo(cwd), async () => 2);
  expect({ code, names: readdirSync(cwd) }).toEqual({ code: 2, names: ['own'] });
});
