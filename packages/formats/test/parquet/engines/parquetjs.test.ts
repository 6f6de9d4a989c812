import { join } from 'node:path';
import { ParquetReader } from '@dsnp/parquetjs';
import { expect, test } from 'vitest';
import { countRows } from '../support/chunks.ts';
import { labelColumnsIn, temporaryFolder, writeChunks } from '../support/files.ts';
import { exampleRun } from '../support/run.ts';

const folder = temporaryFolder();

test('@dsnp/parquetjs reads an export row by row', async () => {
  const path = join(folder, 'x.parquet');
  const chunks = exampleRun();
  await writeChunks(path, chunks, { rowGroupRows: 100, metadata: [['aiperf.hostname', 'host']] });
  const reader = await ParquetReader.openFile(path);
  const rows: unknown[] = [];
  for await (const row of reader) rows.push(row);
  expect(rows).toEqual(chunks.flatMap(chunk => countRows(chunk, labelColumnsIn(chunks))));
  expect(reader.getMetadata()).toEqual({ 'aiperf.hostname': 'host' });
  await reader.close();
});
