import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PartFile } from '../../../src/parquet/write/partFile.ts';
import { createTemporaryFolder } from '../support/files.ts';

const folder = createTemporaryFolder();

test('contains all written bytes after commit', async () => {
  const path = join(folder, 'part-0.parquet');
  const file = await PartFile.open(path);
  await file.write(Buffer.from('one'));
  await file.write(Buffer.from('two'));
  await file.commit();
  expect(readFileSync(path, 'utf8')).toBe('onetwo');
});

test('can be aborted after commit, and twice', async () => {
  const file = await PartFile.open(join(folder, 'part-1.parquet'));
  await file.commit();
  await file.abort();
  await expect(file.abort()).resolves.toBeUndefined();
});

test('does not replace an existing file', async () => {
  const path = join(folder, 'part-2.parquet');
  writeFileSync(path, 'before');
  await expect(PartFile.open(path)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(path, 'utf8')).toBe('before');
});
