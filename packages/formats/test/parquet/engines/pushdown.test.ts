import { join } from 'node:path';
import { asyncBufferFromFile, parquetQuery } from 'hyparquet';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildScalar } from '../support/chunks.ts';
import { openDuckDB } from '../support/duckdb.ts';
import { createTemporaryFolder, writeChunks } from '../support/files.ts';

const METRICS = 50;
const ROWS = 2000;

const path = join(createTemporaryFolder(), 'pushdown.parquet');
const query = openDuckDB();

/** Runs a query in DuckDB and returns its operators. */
interface Operator {
  readonly operator_type?: string;
  readonly operator_cardinality?: number;
  readonly extra_info: Readonly<Record<string, unknown>>;
  readonly children: readonly Operator[];
}

beforeAll(async () => {
  const chunks = Array.from({ length: METRICS }, (_, metric) =>
    buildScalar(
      `metric_${String(metric).padStart(2, '0')}`,
      'gauge',
      Array.from({ length: ROWS }, (_, i) => Math.sin(i * (metric + 1))),
    ),
  );
  const { rowGroups } = await writeChunks(path, chunks, { rowGroupRows: ROWS });
  expect(rowGroups).toBe(METRICS);
  // Disables caching of data that was read before.
  await query('SET enable_external_file_cache = false');
});

const sum = (filter: string): string => `SELECT sum(value) FROM '${path}' WHERE ${filter}`;

async function analyze(filter: string): Promise<Operator> {
  const [row] = await query(`EXPLAIN (ANALYZE, FORMAT json) ${sum(filter)}`);
  return JSON.parse(String(row!.explain_value)) as Operator;
}

/** Number of bytes that DuckDB reads for a query, from its log. */
async function countBytesRead(filter: string): Promise<number> {
  await query("CALL enable_logging('FileSystem')");
  await query(sum(filter));
  await query('CALL disable_logging()');
  const [row] = await query(`SELECT sum(bytes)::INT AS bytes FROM duckdb_logs_parsed('FileSystem')
    WHERE op = 'READ' AND path = '${path}'`);
  await query('CALL truncate_duckdb_logs()');
  return Number(row!.bytes);
}

function listOperators(operator: Operator): Operator[] {
  return [operator, ...operator.children.flatMap(listOperators)];
}

describe('EXPLAIN ANALYZE of DuckDB for rows sorted by metric', () => {
  test.each([
    ["metric_name = 'metric_07'", 1],
    ["metric_name >= 'metric_48'", 2],
    ["metric_name = 'none'", 0],
  ])('%s reads the row groups of %i metrics, and no other', async (filter, metrics) => {
    const footer = await countBytesRead("metric_name = 'none'");
    const all = (await countBytesRead('1 = 1')) - footer;
    expect(all).toBeGreaterThan(METRICS * ROWS * 7);
    // The column of the filter is read, too.
    expect((await countBytesRead(filter)) - footer).toBeLessThanOrEqual((1.2 * metrics * all) / METRICS);
    const scan = listOperators(await analyze(filter)).find(
      ({ operator_type: type }) => type === 'TABLE_SCAN',
    );
    // Without a matching row group, there is no scan.
    if (metrics > 0) expect(scan!.operator_cardinality).toBe(metrics * ROWS);
  });

  test('the scan itself filters an equal metric name', async () => {
    const found = listOperators(await analyze("metric_name = 'metric_07'"));
    expect(found.some(({ operator_type: type }) => type === 'FILTER')).toBe(false);
    const scan = found.find(({ operator_type: type }) => type === 'TABLE_SCAN');
    expect(scan!.extra_info.Filters).toBe("metric_name='metric_07'");
  });
});

test('hyparquet skips by the same statistics', async () => {
  const file = await asyncBufferFromFile(path);
  let read = 0;
  const counted = {
    byteLength: file.byteLength,
    slice: async (start: number, end?: number) => {
      const bytes = await file.slice(start, end);
      read += bytes.byteLength;
      return bytes;
    },
  };
  const rows = await parquetQuery({ file: counted, filter: { metric_name: { $eq: 'metric_07' } } });
  expect(rows).toHaveLength(ROWS);
  expect(new Set(rows.map(row => row.metric_name))).toEqual(new Set(['metric_07']));
  // hyparquet always reads the last 512 KiB for the footer.
  expect(read).toBeLessThan(512 * 1024 + 2 * (file.byteLength / METRICS));
});
