import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ByteSource, FileSource, MemoryBudget } from '../../../src/parquet/read/source.ts';
import { createTemporaryFolder } from '../support/files.ts';

const path = join(createTemporaryFolder(), 'x');
const bytes = Uint8Array.of(1, 2, 3, 4, 5);
writeFileSync(path, bytes);

describe.each([
  ['ByteSource', async () => new ByteSource(bytes)],
  ['FileSource', () => FileSource.open(path)],
])('%s', (_, open) => {
  test('reads a range', async () => {
    const source = await open();
    expect(source.size).toBe(5);
    expect([...(await source.read(1, 3))]).toEqual([2, 3, 4]);
    expect(await source.read(5, 0)).toHaveLength(0);
    await source.close();
  });

  test('rejects a range after the end', async () => {
    const source = await open();
    await expect(source.read(3, 3)).rejects.toThrow('the file ends at byte 5');
    await source.close();
  });

  test('can be closed twice', async () => {
    const source = await open();
    await source.close();
    await expect(source.close()).resolves.toBeUndefined();
  });
});

test('MemoryBudget limits the total size of unreleased reservations', () => {
  const budget = new MemoryBudget(100);
  budget.reserve(60);
  expect(() => budget.reserve(50)).toThrow('pages of 110 bytes would have to be in memory; the limit is 100');
  budget.release(60);
  budget.reserve(100);
});
