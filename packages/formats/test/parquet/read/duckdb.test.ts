import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { listExpectedRows } from '../support/chunks.ts';
import { openDuckDB } from '../support/duckdb.ts';
import { createTemporaryFolder, listLabelColumns, readRows, writeChunks } from '../support/files.ts';
import { createExampleRun } from '../support/run.ts';

const folder = createTemporaryFolder();
const query = openDuckDB();
const source = join(folder, 'source.parquet');
const chunks = createExampleRun();

beforeAll(async () => {
  await writeChunks(source, chunks);
});

test.each([
  'format parquet',
  'format parquet, compression gzip',
  'format parquet, compression brotli',
  'format parquet, compression uncompressed',
  'format parquet, parquet_version v2',
  'format parquet, parquet_version v2, dictionary_size_limit 1',
  'format parquet, row_group_size 100',
])('reads the same rows from a copy that DuckDB writes with (%s)', async options => {
  const path = join(folder, `${options.replaceAll(/\W/g, '')}.parquet`);
  await query(`COPY (FROM '${source}') TO '${path}' (${options})`);
  expect(await readRows(path)).toEqual(
    chunks.flatMap(chunk => listExpectedRows(chunk, listLabelColumns(chunks))),
  );
});

test('skips columns of other types, and all columns of a file with nested columns', async () => {
  const path = join(folder, 'other.parquet');
  await query(`COPY (SELECT 1::INTEGER AS i, 1.5::DOUBLE AS d, [1] AS list, TIMESTAMP '2025-01-01' AS t, 3::UBIGINT AS u, true AS b, 'x'::BLOB AS o)
    TO '${path}' (format parquet)`);
  expect(await readRows(path)).toEqual([{}]);
  const flat = join(folder, 'flat.parquet');
  await query(`COPY (SELECT 1::INTEGER AS i, 1.5::DOUBLE AS d, 3::UBIGINT AS u, 4::BIGINT AS n, 'x'::BLOB AS o, 'y' AS s)
    TO '${flat}' (format parquet)`);
  expect(await readRows(flat)).toEqual([{ d: 1.5, n: 4n, s: 'y' }]);
});
