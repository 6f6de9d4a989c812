import { join } from 'node:path';
import { ParquetReader } from '@dsnp/parquetjs';
import { expect, test } from 'vitest';
import { listExpectedRows } from '../support/chunks.ts';
import { createTemporaryFolder, listLabelColumns, writeChunks } from '../support/files.ts';
import { createExampleRun } from '../support/run.ts';

const folder = createTemporaryFolder();

test('@dsnp/parquetjs reads an export row by row', async () => {
  const path = join(folder, 'x.parquet');
  const chunks = createExampleRun();
  await writeChunks(path, chunks, { rowGroupRows: 100, metadata: [['aiperf.hostname', 'host']] });
  const reader = await ParquetReader.openFile(path);
  const rows: unknown[] = [];
  for await (const row of reader) rows.push(row);
  expect(rows).toEqual(chunks.flatMap(chunk => listExpectedRows(chunk, listLabelColumns(chunks))));
  expect(reader.getMetadata()).toEqual({ 'aiperf.hostname': 'host' });
  await reader.close();
});
