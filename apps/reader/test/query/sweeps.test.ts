import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTempFolder } from '../../../../packages/analysis/test/documents.ts';
import { writeParquetRun } from '../support/parquetRun.ts';
import { queryRows } from '../support/queries.ts';
import { runReader } from '../support/runReader.ts';
import { writeRepeatedRun, writeSweptRun } from '../support/sweptRuns.ts';

const { path: root, remove } = createTempFolder('query-sweeps');
afterAll(remove);
const [sweep, trials, repeats, clients, killed, labeled] = [
  'sweep',
  'trials',
  'repeats',
  'clients',
  'killed',
  'labeled',
].map(name => join(root, name)) as [string, string, string, string, string, string];

beforeAll(async () => {
  for (const concurrency of [2, 10])
    await writeParquetRun(writeSweptRun(sweep, concurrency, [concurrency, 3]), concurrency);
  for (const trial of [1, 2])
    for (const concurrency of [1, 2])
      await writeParquetRun(writeSweptRun(trials, concurrency, [5], { trial }), 10 * trial + concurrency);
  for (const trial of [1, 2]) await writeParquetRun(writeRepeatedRun(repeats, trial, [5]), trial);
  for (const concurrency of [1, 2]) writeSweptRun(clients, concurrency, [100 * concurrency]);
  await writeParquetRun(writeSweptRun(killed, 1, [5]), 1);
  writeSweptRun(killed, 2, undefined);
  await writeParquetRun(writeSweptRun(labeled, 4, [5]), 1, 'concurrency');
});

const TOKENS = "FROM samples WHERE metric_name = 'vllm:generation_tokens'";
const LATENCY = "FROM statistics WHERE metric_name = 'request_latency'";

test('the columns of a sweep name the variation, its parameters and the trial', async () => {
  expect(
    await queryRows(
      sweep,
      `SELECT variation, concurrency, trial, max(value) AS total ${TOKENS} GROUP BY ALL ORDER BY 2`,
    ),
  ).toEqual([
    { variation: 'concurrency_2', concurrency: 2, trial: 1, total: 20 },
    { variation: 'concurrency_10', concurrency: 10, trial: 1, total: 100 },
  ]);
});

test.each(['samples', 'series', 'runs', 'rows', 'histograms', 'buckets', 'statistics'])(
  'the view %s has the columns of a sweep with repeated runs',
  async view => {
    expect(await queryRows(trials, `SELECT DISTINCT concurrency, trial FROM ${view} ORDER BY ALL`)).toEqual([
      { concurrency: 1, trial: 1 },
      { concurrency: 1, trial: 2 },
      { concurrency: 2, trial: 1 },
      { concurrency: 2, trial: 2 },
    ]);
  },
);

test('each row has the values of its run', async () => {
  expect(
    await queryRows(
      trials,
      `SELECT 10 * trial + concurrency AS rate, max(value) AS total ${TOKENS} GROUP BY ALL ORDER BY 1`,
    ),
  ).toEqual([11, 12, 21, 22].map(rate => ({ rate, total: 10 * rate })));
});

test('repeated runs have the number of the run, and no variation', async () => {
  expect(
    await queryRows(repeats, `SELECT trial, max(value) AS total ${TOKENS} GROUP BY ALL ORDER BY 1`),
  ).toEqual([
    { trial: 1, total: 10 },
    { trial: 2, total: 20 },
  ]);
  const { code, err } = await runReader(['query', repeats, 'SELECT variation FROM runs']);
  expect([code, err]).toEqual([2, expect.stringContaining('Referenced column "variation" not found')]);
});

test('two sweeps can be queried together with a single run', async () => {
  const single = join(root, 'single');
  await writeParquetRun(single, 3);
  expect(
    await queryRows(
      sweep,
      single,
      `SELECT concurrency, max(value) AS total ${TOKENS} GROUP BY ALL ORDER BY total`,
    ),
  ).toEqual([
    { concurrency: 2, total: 20 },
    { concurrency: null, total: 30 },
    { concurrency: 10, total: 100 },
  ]);
});

test('the view statistics contains the metrics of the client, also of runs without Parquet', async () => {
  const { code, out, err } = await runReader([
    ...['query', clients, `SELECT concurrency, trial, avg, p99, unit, labels ${LATENCY} ORDER BY 1`],
    ...['--format', 'json'],
  ]);
  expect(JSON.parse(out)).toEqual([
    { concurrency: 1, trial: 1, avg: 100, p99: 100, unit: 'ms', labels: '{}' },
    { concurrency: 2, trial: 1, avg: 200, p99: 200, unit: 'ms', labels: '{}' },
  ]);
  expect([code, err]).toEqual([
    0,
    `2 of 2 runs have no Parquet export, and rows only in the views runs, statistics and derived: ${join(clients, 'concurrency_1')} and 1 more\n`,
  ]);
});

test('the view statistics contains the statistics of server metrics', async () => {
  const sql = `SELECT total, round(per_second, 6) AS per_second, labels->>'model_name' AS model FROM statistics
    WHERE metric_name = 'vllm:generation_tokens' AND concurrency = 10`;
  expect(await queryRows(sweep, sql)).toEqual([{ total: 100, per_second: 10, model: 'm' }]);
});

test('names the runs of a killed sweep that are incomplete', async () => {
  const { code, out, err } = await runReader([
    'query',
    killed,
    `SELECT concurrency, avg ${LATENCY}`,
    '--format',
    'csv',
  ]);
  expect([code, out]).toEqual([0, 'concurrency,avg\n1,5\n']);
  expect(err).toContain('1 of 2 runs has no Parquet export');
  expect(err).toMatch(/no statistics of .*concurrency_2: .*contains no server metrics/);
});

test('a parameter with the name of a label has a prefix', async () => {
  const sql = 'SELECT DISTINCT concurrency, run_concurrency FROM samples';
  expect(await queryRows(labeled, sql)).toEqual([{ concurrency: 'm', run_concurrency: 4 }]);
});

test('a result never overwrites a file of a run of the sweep', async () => {
  const file = join(killed, 'concurrency_2', 'profile_export.jsonl');
  writeFileSync(file, '');
  const { code, err } = await runReader(['query', killed, 'SELECT 1 AS x', '--output', file]);
  expect([code, err]).toEqual([2, expect.stringContaining('a file of the run; choose another file')]);
});
