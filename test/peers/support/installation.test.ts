import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Installation, installOnce } from './installation.ts';

let cache: string;
let installations: number;

beforeEach(() => {
  cache = join(mkdtempSync(join(tmpdir(), 'installation-')), 'cache');
  installations = 0;
});

afterEach(() => rmSync(join(cache, '..'), { recursive: true }));

/** Returns an installation that counts how often it runs. */
function createInstallation(pins = 'x==1', error?: Error): Installation {
  const install = async (folder: string): Promise<void> => {
    installations++;
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, 'program'), pins);
    if (error) throw error;
  };
  return { name: 'peer', pins, install };
}

/** Returns the id of a process that has ended. */
function findEndedProcess(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

test('installs once, even if several callers start at the same time', async () => {
  const folders = await Promise.all([1, 2, 3].map(() => installOnce(createInstallation(), cache)));
  expect(new Set(folders).size).toBe(1);
  expect(existsSync(join(folders[0]!, 'program'))).toBe(true);
  expect(installations).toBe(1);
  await installOnce(createInstallation(), cache);
  expect(installations).toBe(1);
});

test('keeps installations with other versions', async () => {
  const first = await installOnce(createInstallation('x==1'), cache);
  const second = await installOnce(createInstallation('x==2'), cache);
  expect(second).not.toBe(first);
  expect(existsSync(join(first, 'program'))).toBe(true);
});

test('rejects with the reason, and installs into an empty folder at the next call', async () => {
  await expect(installOnce(createInstallation('x==1', new Error('no network')), cache)).rejects.toThrow(
    'no network',
  );
  await installOnce(createInstallation(), cache);
  expect(installations).toBe(2);
});

test('takes over the lock of a process that has ended', async () => {
  const folder = await installOnce(createInstallation(), cache);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  writeFileSync(`${folder}.lock`, String(findEndedProcess()));
  await installOnce(createInstallation(), cache);
  expect(installations).toBe(2);
  expect(readdirSync(cache)).toEqual([folder.split('/').at(-1)]);
});

test('waits while another process holds the lock', async () => {
  const folder = await installOnce(createInstallation(), cache);
  rmSync(folder, { recursive: true });
  // The parent of this process is running.
  writeFileSync(`${folder}.lock`, String(process.ppid));
  const installing = installOnce(createInstallation(), cache);
  const winner = await Promise.race([
    installing,
    new Promise(resolve => setTimeout(() => resolve('waiting'), 1000)),
  ]);
  expect(winner).toBe('waiting');
  rmSync(`${folder}.lock`);
  expect(await installing).toBe(folder);
});
