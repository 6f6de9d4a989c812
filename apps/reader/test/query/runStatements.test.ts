import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, expect, test } from 'vitest';
import { ExportGuard } from '../../src/query/exportGuard.ts';
import type { ResultRow } from '../../src/query/queryResult.ts';
import { runStatements } from '../../src/query/runStatements.ts';

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const database = { connection, guard: await ExportGuard.create([]) };
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

/** Runs statements and returns the columns and the rows of each result. */
async function run(sql: string): Promise<[columns: readonly string[], rows: ResultRow[]][]> {
  const results: [readonly string[], ResultRow[]][] = [];
  for await (const { columns, batches } of runStatements(database, sql)) {
    const rows: ResultRow[] = [];
    for await (const batch of batches) rows.push(...batch);
    results.push([columns, rows]);
  }
  return results;
}

const LATE_FAILURE =
  "SELECT CASE WHEN range = 900000 THEN error('late') ELSE range END AS n FROM range(1000000)";

test.each([
  ['', LATE_FAILURE],
  [', in a transaction of the user', `BEGIN; ${LATE_FAILURE}`],
])('rejects a query that fails while its rows are read%s', async (_, sql) => {
  await expect(run(sql)).rejects.toThrow(/the result is incomplete: the query failed .* after \d+ rows/);
  await connection.run('ROLLBACK').catch(() => {});
  expect(await run('SELECT 1 AS a')).toEqual([[['a'], [[1]]]]);
});

test('yields the results of the statements that return rows', async () => {
  expect(await run('CREATE TEMP TABLE t AS SELECT 1 AS a; SELECT a FROM t; SELECT 2 AS b, 3 AS b')).toEqual([
    [['a'], [[1]]],
    [['b', 'b:1'], [[2, 3]]],
  ]);
});

test.each([
  ['1152921504606846977::BIGINT', 1152921504606846977n],
  ['170141183460469231731687303715884105727::HUGEINT', 170141183460469231731687303715884105727n],
  ['1.25::DECIMAL(5, 2)', 1.25],
  ["'nan'::DOUBLE", Number.NaN],
  ['[1, NULL]', [1, null]],
  ["{'a': [true]}", { a: [true] }],
  ["MAP {'k': 1}", [{ key: 'k', value: 1 }]],
  ["DATE '2026-01-02'", '2026-01-02'],
  ["TIMESTAMP '2026-01-02 03:04:05'", '2026-01-02 03:04:05'],
  ['NULL', null],
])('converts %s', async (expression, expected) => {
  const [result] = await run(`SELECT ${expression} AS value`);
  expect(result![1]).toEqual([[expected]]);
});

test('yields large results in batches', async () => {
  let batches = 0;
  for await (const result of runStatements(database, 'SELECT range AS i FROM range(10000)'))
    for await (const rows of result.batches) {
      batches++;
      expect(rows.length).toBeLessThanOrEqual(2048);
    }
  expect(batches).toBeGreaterThan(1);
});
