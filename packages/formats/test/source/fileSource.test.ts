import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openFile } from '../../src/source/fileSource.ts';

const folder = mkdtempSync(join(tmpdir(), 'formats-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('reads the first 4,096 bytes when it opens a file', async () => {
  const path = join(folder, 'long.json');
  writeFileSync(path, 'x'.repeat(10_000));
  const source = await openFile(path);
  expect(source).toMatchObject({ name: path, file: path });
  expect(source.head).toHaveLength(4096);
  expect(await source.bytes()).toHaveLength(10_000);
  let length = 0;
  for await (const chunk of source.stream()) length += chunk.length;
  expect(length).toBe(10_000);
});

it('opens a folder, which has no bytes', async () => {
  const path = join(folder, 'dataset');
  mkdirSync(path);
  const source = await openFile(path);
  expect(source).toMatchObject({ name: path, folder: path, file: undefined });
  expect(() => source.bytes()).toThrow(`cannot read ${path}: is a folder, not a file`);
});

it('rejects a path that does not exist', async () => {
  await expect(openFile(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
});
