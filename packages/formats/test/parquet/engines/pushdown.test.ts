import { join } from 'node:path';
import { asyncBufferFromFile, parquetQuery } from 'hyparquet';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildScalar } from '../support/chunks.ts';
import { openDuckDB } from '../support/duckdb.ts';
import { createTemporaryFolder, writeChunks } from '../support/files.ts';

const METRIC_COUNT = 50;
const ROWS_PER_METRIC = 2000;

const path = join(createTemporaryFolder(), 'pushdown.parquet');
const query = openDuckDB();

/** An operator of a query plan, as EXPLAIN ANALYZE prints it. */
interface Operator {
  readonly operator_type?: string;
  readonly operator_cardinality?: number;
  readonly extra_info: Readonly<Record<string, unknown>>;
  readonly children: readonly Operator[];
}

beforeAll(async () => {
  const chunks = Array.from({ length: METRIC_COUNT }, (_, metric) =>
    buildScalar(
      `metric_${String(metric).padStart(2, '0')}`,
      'gauge',
      Array.from({ length: ROWS_PER_METRIC }, (_, i) => Math.sin(i * (metric + 1))),
    ),
  );
  const { rowGroups } = await writeChunks(path, chunks, { rowGroupRows: ROWS_PER_METRIC });
  expect(rowGroups).toBe(METRIC_COUNT);
  // Without the cache, every query reads the file.
  await query('SET enable_external_file_cache = false');
});

const buildSumQuery = (filter: string): string => `SELECT sum(value) FROM '${path}' WHERE ${filter}`;

/** Runs a query and returns the root operator of its plan. */
async function analyze(filter: string): Promise<Operator> {
  const [row] = await query(`EXPLAIN (ANALYZE, FORMAT json) ${buildSumQuery(filter)}`);
  return JSON.parse(String(row!.explain_value)) as Operator;
}

/** Returns the number of bytes that DuckDB reads for a query, according to its log. */
async function countBytesRead(filter: string): Promise<number> {
  await query("CALL enable_logging('FileSystem')");
  await query(buildSumQuery(filter));
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
  ])('%s reads only the row groups of %i metrics', async (filter, metrics) => {
    const footerBytes = await countBytesRead("metric_name = 'none'");
    const columnBytes = (await countBytesRead('1 = 1')) - footerBytes;
    expect(columnBytes).toBeGreaterThan(METRIC_COUNT * ROWS_PER_METRIC * 7);
    // A query reads the column of the filter in addition to the values.
    expect((await countBytesRead(filter)) - footerBytes).toBeLessThanOrEqual(
      (1.2 * metrics * columnBytes) / METRIC_COUNT,
    );
    const scan = listOperators(await analyze(filter)).find(
      ({ operator_type: type }) => type === 'TABLE_SCAN',
    );
    // If no row group matches, the plan has no scan.
    if (metrics > 0) expect(scan!.operator_cardinality).toBe(metrics * ROWS_PER_METRIC);
  });

  test('the scan applies an equality filter on the metric name itself', async () => {
    const operators = listOperators(await analyze("metric_name = 'metric_07'"));
    expect(operators.some(({ operator_type: type }) => type === 'FILTER')).toBe(false);
    const scan = operators.find(({ operator_type: type }) => type === 'TABLE_SCAN');
    expect(scan!.extra_info.Filters).toBe("metric_name='metric_07'");
  });
});

test('hyparquet skips row groups by the same statistics', async () => {
  const file = await asyncBufferFromFile(path);
  let bytesRead = 0;
  const countingFile = {
    byteLength: file.byteLength,
    slice: async (start: number, end?: number) => {
      const bytes = await file.slice(start, end);
      bytesRead += bytes.byteLength;
      return bytes;
    },
  };
  const rows = await parquetQuery({ file: countingFile, filter: { metric_name: { $eq: 'metric_07' } } });
  expect(rows).toHaveLength(ROWS_PER_METRIC);
  expect(new Set(rows.map(row => row.metric_name))).toEqual(new Set(['metric_07']));
  // hyparquet always reads the last 512 KiB for the footer.
  expect(bytesRead).toBeLessThan(512 * 1024 + 2 * (file.byteLength / METRIC_COUNT));
});
