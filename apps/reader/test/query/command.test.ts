import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createQueriedRuns, queryRows } from '../support/queries.ts';
import { expectUserError, runReader, writeTestFile } from '../support/runReader.ts';

const { folder, runA } = createQueriedRuns('query-command');

test('prints a table that fits the terminal', async () => {
  const sql = "SELECT 'a' AS name, 1 AS n UNION ALL SELECT 'b', 2 ORDER BY n";
  const { out } = await runReader(['query', runA, sql], 80);
  expect(out).toBe('name  n\n────  ─\na     1\nb     2\n2 rows\n');
});

test('prints large results completely', async () => {
  const sql = 'SELECT range AS i FROM range(100000)';
  const { out } = await runReader(['query', runA, sql, '--format', 'csv']);
  const lines = out.trimEnd().split('\n');
  expect(lines).toHaveLength(100_001);
  expect(lines.at(-1)).toBe('99999');
});

test('runs the statements of a file in order', async () => {
  const sql = 'CREATE TEMP TABLE t AS SELECT 1 AS a; SELECT a FROM t;\nSELECT 2 AS b;';
  const file = writeTestFile(folder, 'two.sql', sql);
  const { out } = await runReader(['query', runA, '--file', file, '--format', 'csv']);
  expect(out).toBe('a\n1\nb\n2\n');
});

test('writes Parquet that can be queried', async () => {
  const file = join(folder, 'result.parquet');
  expect((await runReader(['query', runA, 'SELECT * FROM rows;', '--output', file])).code).toBe(0);
  expect(await queryRows(file, 'SELECT count(*) AS n FROM rows')).toEqual([{ n: 66 }]);
});

test('infers the format from the name of the output file', async () => {
  const file = join(folder, 'result.csv');
  expect((await runReader(['query', runA, 'SELECT 1 AS a', '-o', file])).out).toBe('');
  expect(readFileSync(file, 'utf8')).toBe('a\n1\n');
});

test.each<[string, string[], RegExp]>([
  ['no run', ['SELECT 1 AS a'], /missing run/],
  ['a run that does not exist', [join(folder, 'none'), 'SELECT 1 AS a'], /no such file or folder/],
  ['a folder without a run', [folder, 'SELECT 1 AS a'], /contains no server metrics/],
  ['an unknown column', [runA, 'SELECT valve FROM samples'], /"valve" not found[\s\S]*value/],
  ['invalid SQL', [runA, 'SELEKT 1 x'], /syntax error at or near "SELEKT"/],
  ['Parquet without --output', [runA, 'SELECT 1 AS a', '--format', 'parquet'], /requires --output FILE/],
  [
    'an output folder that does not exist',
    [runA, 'SELECT 1 AS a', '-o', '/no/such/x.csv'],
    /cannot write --output "\/no\/such\/x\.csv": no such file/,
  ],
  [
    'a file with SQL that does not exist',
    [runA, '--file', '/no/such.sql'],
    /cannot read --file "\/no\/such\.sql": no such file/,
  ],
])('rejects %s', async (_, args, message) => {
  await expectUserError(['query', ...args], message);
});
