import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openServerMetricsDataset, openServerMetricsParquet } from '../../../src/parquet/index.ts';
import { createTemporaryFolder } from '../support/files.ts';

const folder = createTemporaryFolder();

describe.each([
  ['openServerMetricsParquet', openServerMetricsParquet],
  ['openServerMetricsDataset', openServerMetricsDataset],
])('%s', (_, open) => {
  test.each([
    [{ labelColumns: ['value'] }, 'label column "value" has a reserved name'],
    [{ labelColumns: ['Timestamp_NS'] }, 'label column "Timestamp_NS" has a reserved name'],
    [{ labelColumns: ['a', 'b', 'a'] }, 'label column "a" is a duplicate'],
    [{ labelColumns: [], rowGroupRows: 0 }, 'rowGroupRows is 0; expected an integer from 1 to 4194304'],
    [{ labelColumns: [], rowGroupRows: 1.5 }, 'rowGroupRows is 1.5'],
  ])('throws for the options %j before anything is created', async (options, message) => {
    await expect(open(join(folder, 'x'), { metadata: [], ...options })).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("rejects with the file system's error if the folder does not exist", async () => {
    const path = join(folder, 'nowhere', 'x');
    await expect(open(path, { labelColumns: [], metadata: [] })).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

test('openServerMetricsDataset does not replace a folder with other files', async () => {
  const path = join(folder, 'own');
  mkdirSync(path);
  writeFileSync(join(path, 'notes.txt'), 'x');
  await expect(openServerMetricsDataset(path, { labelColumns: [], metadata: [] })).rejects.toThrow(
    `cannot replace the folder ${path}: it contains "notes.txt", which is not part of a dataset`,
  );
});
