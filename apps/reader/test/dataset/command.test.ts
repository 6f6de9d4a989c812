import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DATASET_TABLES } from '../../src/dataset/datasetFolder.ts';
import { writeParquetRun } from '../support/parquetRun.ts';
import { createQueriedRuns, queryRows } from '../support/queries.ts';
import { expectUserError, runReader, writeTestFile } from '../support/runReader.ts';
import { writeSweptRun } from '../support/sweptRuns.ts';

const { folder, runA, runB } = createQueriedRuns('dataset');

/** Writes runs into a dataset. Returns the exit code, the document and the messages. */
async function writeDataset(name: string, ...runs: readonly string[]) {
  const dataset = join(folder, name);
  const { code, out, err } = await runReader(['dataset', ...runs, '--output', dataset, '--json', '--quiet']);
  return { dataset, code, err, document: out === '' ? undefined : JSON.parse(out) };
}

const QUERIES = [
  'SELECT run, metric_name, increase(value, timestamp_ns) AS value FROM samples GROUP BY ALL ORDER BY ALL',
  'SELECT run, histogram_quantile(0.9, le, bucket_count) AS p90 FROM buckets GROUP BY ALL ORDER BY ALL',
  'SELECT run, count(*) AS rows, max(count) AS count FROM histograms GROUP BY ALL ORDER BY ALL',
  'SELECT run, metric_name, total, per_second FROM statistics ORDER BY ALL',
  'SELECT run, benchmark_id, seconds, input_config FROM runs ORDER BY ALL',
];

test('has the rows of all views, in one file per run and table', async () => {
  const { dataset, code, err, document } = await writeDataset('all', runA, runB);
  expect([code, err]).toEqual([0, '']);
  const tables = ['samples', 'histograms', 'buckets', 'statistics', 'runs'];
  expect(readdirSync(dataset).sort()).toEqual(
    expect.arrayContaining([...tables, 'servelens-dataset.json'].sort()),
  );
  for (const table of tables)
    for (const run of ['a', 'b'])
      expect(readdirSync(join(dataset, table, `run=${run}`))).toEqual(['part-0.parquet']);
  expect(document).toMatchObject({ folder: dataset, runs: [{ run: 'a', source: runA }, { run: 'b' }] });
  expect(document.runs[0].files[0]).toMatchObject({
    table: 'samples',
    path: join(dataset, 'samples/run=a/part-0.parquet'),
  });
  const rename = (rows: unknown): unknown =>
    JSON.parse(
      JSON.stringify(rows).replaceAll(JSON.stringify(runA), '"a"').replaceAll(JSON.stringify(runB), '"b"'),
    );
  for (const sql of QUERIES)
    expect(await queryRows(dataset, sql), sql).toEqual(rename(await queryRows(runA, runB, sql)));
});

test('a second call replaces the runs that it names, and keeps the others', async () => {
  const run = join(folder, 'changing/c');
  await writeParquetRun(run, 2);
  const { dataset } = await writeDataset('again', runA, run);
  await writeParquetRun(run, 3);
  expect((await writeDataset('again', run)).code).toBe(0);
  const sql =
    "SELECT run, max(value) AS tokens FROM samples WHERE metric_type = 'counter' GROUP BY ALL ORDER BY 1";
  expect(await queryRows(dataset, sql)).toEqual([
    { run: 'a', tokens: 50 },
    { run: 'c', tokens: 30 },
  ]);
});

test('runs of a sweep have the path from the folder of the sweep, and the columns of its parameters', async () => {
  const sweep = join(folder, 'sweep');
  for (const concurrency of [2, 10])
    await writeParquetRun(writeSweptRun(sweep, concurrency, [5]), concurrency);
  const { dataset } = await writeDataset('swept', sweep);
  const sql = 'SELECT DISTINCT run, concurrency FROM samples ORDER BY 2';
  expect(await queryRows(dataset, sql)).toEqual([
    { run: 'sweep/concurrency_2', concurrency: 2 },
    { run: 'sweep/concurrency_10', concurrency: 10 },
  ]);
  const latency = "SELECT run, avg FROM statistics WHERE metric_name = 'request_latency' ORDER BY 1";
  expect(await queryRows(dataset, latency)).toHaveLength(2);
});

test('a run of a sweep that cannot be written is reported, and the others of the sweep have their files', async () => {
  const sweep = join(folder, 'half');
  for (const concurrency of [2, 10])
    await writeParquetRun(writeSweptRun(sweep, concurrency, [5]), concurrency);
  const { dataset } = await writeDataset('blocked', runA);
  // A file is in the way of the folder of the second run.
  writeFileSync(join(dataset, 'samples', 'run=half%2Fconcurrency_2'), '');
  const { code, err, document } = await writeDataset('blocked', sweep);
  expect(code).toBe(1);
  expect(err).toContain('concurrency_2: ');
  const [failed, written] = document.runs;
  expect(failed).toMatchObject({ run: 'half/concurrency_2', files: [], error: expect.any(String) });
  expect(written).toMatchObject({ run: 'half/concurrency_10' });
  expect(written.files.length).toBeGreaterThan(0);
  expect(written).not.toHaveProperty('error');
});

test('a query that names no table has all of them', async () => {
  const { dataset } = await writeDataset('listed', runA);
  expect(await queryRows(dataset, 'SHOW TABLES')).toEqual(
    ['buckets', 'derived', 'histograms', 'runs', 'samples', 'statistics'].map(name => ({ name })),
  );
});

test('names that look like numbers or paths remain as they are', async () => {
  const runs = ['2026-11-28', '007', "it's 50% a=b"].map(name => join(folder, 'names', name));
  for (const run of runs) await writeParquetRun(run, 1);
  const { dataset } = await writeDataset('named', ...runs);
  expect(await queryRows(dataset, 'SELECT DISTINCT run FROM samples ORDER BY 1')).toEqual([
    { run: '007' },
    { run: '2026-11-28' },
    { run: "it's 50% a=b" },
  ]);
});

test('a run that cannot be read is reported, and the others are written', async () => {
  const broken = writeTestFile(folder, 'broken/server_metrics_export.parquet', 'PAR1 not Parquet PAR1');
  const { code, err, document, dataset } = await writeDataset('partial', broken, join(folder, 'none'), runA);
  expect(code).toBe(1);
  expect(err).toMatch(/ERROR {4}cannot read the rows of .*broken.*parquet: /);
  expect(err).toMatch(/ERROR {4}cannot read ".*none": no such file or folder\n/);
  expect(document.runs.map(({ error }: { error?: string }) => error !== undefined)).toEqual([
    true,
    true,
    false,
  ]);
  expect(await queryRows(dataset, 'SELECT run FROM runs')).toEqual([{ run: 'a' }]);
});

test('without a run that can be read, no folder is created', async () => {
  const { code, dataset } = await writeDataset('untouched', join(folder, 'none'));
  expect([code, existsSync(dataset)]).toEqual([1, false]);
});

test('two runs of the same name are refused before anything is written', async () => {
  const other = join(folder, 'other/a');
  await writeParquetRun(other, 1);
  await expectUserError(
    ['dataset', runA, other, '--output', join(folder, 'same')],
    /two runs have the name "a": .*; rename a folder/,
  );
  expect(existsSync(join(folder, 'same'))).toBe(false);
});

test.each([
  ['a folder with other files', [], /contains other files; expected an empty folder/],
  ['no folder', ['--output', ''], /invalid --output ""/],
])('refuses %s', async (_, args, message) => {
  const output = args.length > 0 ? args : ['--output', folder];
  await expectUserError(['dataset', runA, ...output], message);
});

test('a query cannot combine a dataset with runs, or overwrite its files', async () => {
  const { dataset } = await writeDataset('guarded', runA);
  await expectUserError(
    ['query', dataset, runA, 'SELECT 1'],
    /is a dataset, which can only be queried alone/,
  );
  const part = join(dataset, 'samples/run=a/part-0.parquet');
  await expectUserError(['query', dataset, 'SELECT 1 AS a', '--output', part], /would overwrite/);
});

test('an empty dataset is an error with the command that fills it', async () => {
  const dataset = join(folder, 'empty');
  writeTestFile(dataset, 'servelens-dataset.json', '{"version":1}');
  await expectUserError(
    ['query', dataset, 'SELECT 1'],
    /contains no run; write some with servelens read dataset/,
  );
  writeTestFile(dataset, 'servelens-dataset.json', '{"version":2}');
  await expectUserError(['dataset', runA, '--output', dataset], /dataset of another version/);
  expect(DATASET_TABLES).toContain('samples');
});
