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

it('replaces the existing file only when it is committed', async () => {
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

it('leaves no file when it is aborted', async () => {
  const file = await AtomicFile.open(path);
  await file.write(Buffer.from('half'));
  await file.abort();
  expect(readdirSync(folder)).toEqual([]);
});

it('keeps the committed file if abort follows', async () => {
  const file = await AtomicFile.open(path);
  await file.commit();
  await file.abort();
  expect(existsSync(path)).toBe(true);
});

it("rejects with the file system's error", async () => {
  await expect(AtomicFile.open(join(folder, 'none', 'out.bin'))).rejects.toMatchObject({ code: 'ENOENT' });
});
