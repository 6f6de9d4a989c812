import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AtomicFile } from '../../src/output/atomicFile.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'formats-'));
  path = join(folder, 'out.bin');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('is in its place when it is committed, and not before', async () => {
  writeFileSync(path, 'before');
  const file = await AtomicFile.open(path);
  await file.write(Buffer.from('after'));
  await file.write(Buffer.from('wards'));
  expect(readFileSync(path, 'utf8')).toBe('before');
  expect(file.length).toBe(10);
  await file.commit();
  expect(readFileSync(path, 'utf8')).toBe('afterwards');
  expect(readdirSync(folder)).toEqual(['out.bin']);
});

it('leaves nothing when it is aborted, and what was there stays', async () => {
  const file = await AtomicFile.open(path);
  await file.write(Buffer.from('half'));
  await file.abort();
  expect(readdirSync(folder)).toEqual([]);
});

it('stays when abort follows commit', async () => {
  const file = await AtomicFile.open(path);
  await file.commit();
  await file.abort();
  expect(existsSync(path)).toBe(true);
});

it('rejects with the error of the file system', async () => {
  await expect(AtomicFile.open(join(folder, 'none', 'out.bin'))).rejects.toMatchObject({ code: 'ENOENT' });
});
