import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
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
  ['--output without SQL', [runA, '-o', join(folder, 'x.csv')], /--output requires SQL/],
  [
    'a file with SQL that does not exist',
    [runA, '--file', '/no/such.sql'],
    /cannot read --file "\/no\/such\.sql": no such file/,
  ],
])('rejects %s', async (_, args, message) => {
  await expectUserError(['query', ...args], message);
});

const EXPORT = join(runA, 'server_metrics_export.parquet');

/** Creates a link in the test folder, unless it exists. */
function createLink(name: string, create: (link: string) => void): string {
  const link = join(folder, name);
  if (!existsSync(link)) create(link);
  return link;
}

/** Names of the Parquet export of `runA`, and of another export of that run. */
const EXPORT_NAMES: readonly [string, () => string][] = [
  ['its path', () => EXPORT],
  ['a relative path', () => relative(process.cwd(), EXPORT)],
  ['a path with ..', () => `${runA}/../a/./server_metrics_export.parquet`],
  ['a symbolic link', () => createLink('link.parquet', link => symlinkSync(EXPORT, link))],
  ['a hard link', () => createLink('hard.parquet', link => linkSync(EXPORT, link))],
  [
    'a linked folder',
    () =>
      join(
        createLink('linked', link => symlinkSync(runA, link)),
        'server_metrics_export.parquet',
      ),
  ],
  [
    'the path of a file in its dataset',
    () =>
      writeTestFile(runA, 'server_metrics_export/endpoint_url=a/metric_name=b/part-0.parquet', 'not Parquet'),
  ],
  [
    'the path of another export',
    () => {
      writeFileSync(join(runA, 'server_metrics_export.json'), '{}');
      return join(runA, 'server_metrics_export.json');
    },
  ],
];

test.each(EXPORT_NAMES)('never overwrites an export of the run that is named by %s', async (_, getPath) => {
  const output = getPath();
  const content = readFileSync(output);
  const message = /it would overwrite "\S+", a file of the run; choose another file/;
  for (const format of ['csv', 'parquet'])
    await expectUserError(['query', runA, 'SELECT 1 AS a', '-o', output, '--format', format], message);
  for (const sql of [
    `COPY (SELECT 1 AS a) TO '${output}'`,
    `SELECT 1 AS a; copy series to '${output}' (FORMAT csv)`,
    `PREPARE p AS COPY (SELECT 1 AS a) TO '${output}'; EXECUTE p`,
    `EXPLAIN ANALYZE COPY (SELECT 1 AS a) TO $$${output}$$`,
  ])
    await expectUserError(['query', runA, sql], message);
  expect(readFileSync(output).equals(content)).toBe(true);
});

test('never writes a dataset or a database over the folder of a run', async () => {
  for (const sql of [
    `COPY (SELECT 1 AS a, 2 AS b) TO '${runA}' (FORMAT csv, PARTITION_BY (b), OVERWRITE)`,
    `EXPORT DATABASE '${folder}'`,
  ])
    await expectUserError(['query', runA, sql], /it would overwrite/);
});

test.each<[string, (path: string) => string[]]>([
  ['literals in two lines', path => [`COPY series TO '${path.slice(0, -3)}'\n'${path.slice(-3)}'`]],
  ['a nested comment', path => [`COPY series /* /* */ TO 'other.csv' */ TO '${path}'`]],
  [
    'the home folder',
    path => [`SET home_directory = '${folder}'; COPY series TO '~/${relative(folder, path)}'`],
  ],
  ['a query log', path => [`SET log_query_path = '${path}'; SELECT 1 AS a`]],
  ['a profile', path => [`SET enable_profiling = 'json'; SET profile_output = '${path}'; SELECT 1 AS a`]],
  [
    'a log',
    path => [
      `CALL enable_logging(storage = 'file', storage_path = '${path}'); SELECT 1 AS a`,
      `CALL enable_logging(storage = 'file', storage_config = {'path': '${path}'}); SELECT 1 AS a`,
    ],
  ],
  [
    'an imported database',
    path => {
      writeTestFile(folder, 'imported/schema.sql', `COPY (SELECT 1 AS a) TO '${path}'`);
      writeTestFile(folder, 'imported/load.sql', '');
      writeTestFile(folder, 'importing/schema.sql', `IMPORT DATABASE '${join(folder, 'imported')}'`);
      writeTestFile(folder, 'importing/load.sql', '');
      return ['imported', 'importing'].flatMap(name => [
        `IMPORT DATABASE '${join(folder, name)}'`,
        `PRAGMA import_database('${join(folder, name)}')`,
      ]);
    },
  ],
  ['the folder of a process', path => [`COPY series TO '/proc/self/root${path}'`]],
])('never overwrites an export of the run through %s', async (_, createStatements) => {
  const output = join(runA, 'server_metrics_export.json');
  writeFileSync(output, 'kept\n');
  for (const sql of createStatements(output))
    await expectUserError(
      ['query', runA, sql],
      /it would overwrite|must be a quoted literal|home_directory is set/,
    );
  expect(readFileSync(output, 'utf8')).toBe('kept\n');
  rmSync(output);
});

test('keeps an existing file if a statement fails', async () => {
  const file = writeTestFile(folder, 'kept.csv', 'kept\n');
  await expectUserError(['query', runA, 'SELECT 1 AS a; SELECT nope', '-o', file], /nope/);
  expect(readFileSync(file, 'utf8')).toBe('kept\n');
});

test.each(['csv', 'parquet'])(
  'leaves no incomplete file if a statement fails while %s is written',
  async format => {
    const target = join(folder, `failing-${format}`);
    mkdirSync(target);
    const sql =
      "SELECT CASE WHEN range = 900000 THEN error('late failure') ELSE range END AS n FROM range(1000000)";
    await expectUserError(
      ['query', runA, sql, '-o', join(target, `x.${format}`)],
      /late failure|the result is incomplete/,
    );
    expect(readdirSync(target)).toEqual([]);
  },
);

test('overwrites earlier results, also in the folder of the run', async () => {
  const file = join(runA, 'result.csv');
  for (const sql of ['SELECT 1 AS a', 'SELECT 2 AS a'])
    expect((await runReader(['query', runA, sql, '-o', file])).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('a\n2\n');
  expect((await runReader(['query', runA, `COPY (SELECT 3 AS a) TO '${file}'`])).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('a\n3\n');
});

test('--json is --format json', async () => {
  const { out } = await runReader(['query', runA, 'SELECT 1 AS a', '--json']);
  expect(JSON.parse(out)).toEqual([{ a: 1 }]);
  await expectUserError(
    ['query', runA, 'SELECT 1 AS a', '--json', '--format', 'csv'],
    /cannot use both --format and --json/,
  );
});

test('names a folder whose name is a pattern', async () => {
  const name = join(folder, 'run[1]');
  mkdirSync(name);
  await expectUserError(['query', name, 'SELECT 1 AS a'], /exists, but its name is a pattern/);
});
