import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type DatasetSummary,
  openServerMetricsDataset,
  type SeriesChunk,
  validateParquet,
} from '../../../src/parquet/index.ts';
import { validateDataset } from '../../../src/parquet/validate/dataset.ts';
import { fromPath } from '../../../src/source/input.ts';
import type { Issue } from '../../../src/validate/issue.ts';
import { validate } from '../../../src/validate/validate.ts';
import { buildScalar, createTimestamps, listExpectedRows } from '../support/chunks.ts';
import { collect } from '../support/collect.ts';
import { openDuckDB } from '../support/duckdb.ts';
import { createTemporaryFolder, listLabelColumns, readRows, writeChunks } from '../support/files.ts';
import { buildRunMetadata } from '../support/metadata.ts';
import { createExampleRun } from '../support/run.ts';

const parent = createTemporaryFolder();
const query = openDuckDB();
let datasetCount = 0;

async function writeDataset(
  chunks: readonly SeriesChunk[],
  folder: string = join(parent, `dataset-${datasetCount++}`),
): Promise<DatasetSummary & { readonly folder: string }> {
  const labelColumns = listLabelColumns(chunks);
  const times = createTimestamps(20);
  const metadata = buildRunMetadata(labelColumns, times[0]!, times.at(-1)!);
  const writer = await openServerMetricsDataset(folder, { labelColumns, metadata });
  for (const chunk of chunks) await writer.appendSeries(chunk);
  return { ...(await writer.close()), folder };
}

function listFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter(name => name.endsWith('.parquet')).sort();
}

const formatHiveScan = (folder: string): string =>
  `read_parquet('${folder}/*/*/*.parquet', hive_partitioning = true)`;

describe('a run', async () => {
  const chunks = createExampleRun();
  const { folder, ...summary } = await writeDataset(chunks);
  const single = join(parent, 'single.parquet');
  await writeChunks(single, chunks);

  test('is written as one file per endpoint and metric', () => {
    const endpoints = ['node1', 'node2'].map(host => `endpoint_url=http%3A%2F%2F${host}%3A8000%2Fmetrics`);
    const metrics = ['e2e_request_latency_seconds', 'kv_cache_usage_perc', 'request_success'];
    expect(listFiles(folder)).toEqual(
      endpoints.flatMap(endpoint =>
        metrics.map(metric => `${endpoint}/metric_name=vllm%3A${metric}/part-0.parquet`),
      ),
    );
    const bytes = listFiles(folder).reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
    expect(summary).toEqual({ rows: 280, files: 6, bytes, shortened: [] });
  });

  test('has the same rows as a single file in DuckDB', async () => {
    const columns = (await query(`DESCRIBE SELECT * FROM '${single}'`)).map(row => row.column_name);
    const readSorted = (from: string) => query(`SELECT ${columns.join(', ')} FROM ${from} ORDER BY ALL`);
    const expected = await readSorted(`'${single}'`);
    expect(expected).toHaveLength(280);
    expect(await readSorted(formatHiveScan(folder))).toEqual(expected);
    expect(await query(`SELECT * FROM ${formatHiveScan(folder)} LIMIT 0`)).toEqual([]);
  });

  test.each([
    ["metric_name = 'vllm:request_success'", 2],
    ["endpoint_url = 'http://node1:8000/metrics'", 3],
    ["metric_name LIKE 'vllm:kv%' AND endpoint_url LIKE '%node2%'", 1],
  ])('lets DuckDB filter by %s and open only %i files', async (filter, expected) => {
    await query(`PRAGMA enable_profiling = 'no_output'`);
    const [plan] = await query(
      `EXPLAIN (ANALYZE, FORMAT json) SELECT count(*) FROM ${formatHiveScan(folder)} WHERE ${filter}`,
    );
    const text = String(plan!.explain_value);
    expect(/"Total Files Read": *"(\d+)"/.exec(text)?.[1] ?? text).toBe(String(expected));
  });

  test('can be read file by file, with the metadata of each file', async () => {
    for (const name of listFiles(folder)) {
      const rows = await readRows(join(folder, name));
      const [{ endpoint_url, metric_name }] = rows as [Record<string, unknown>];
      const expected = chunks.filter(
        chunk => chunk.endpointUrl === endpoint_url && chunk.metricName === metric_name,
      );
      expect(rows).toEqual(expected.flatMap(chunk => listExpectedRows(chunk, listLabelColumns(chunks))));
      expect(rows.length).toBeGreaterThan(0);
      const metadata = await query(
        `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata('${join(folder, name)}')`,
      );
      expect(metadata.slice(-2)).toEqual([
        { key: 'servelens.endpoint_url', value: endpoint_url },
        { key: 'servelens.metric_name', value: metric_name },
      ]);
      expect(metadata).toContainEqual({ key: 'aiperf.benchmark_id', value: 'b-1' });
      expect(await validateParquet(join(folder, name))).toEqual([]);
    }
  });

  test('is valid as a whole', async () => {
    expect(await validate(fromPath(folder))).toEqual({
      document: 'server-metrics-parquet',
      version: '1.0',
      valid: true,
      issues: [],
      moreIssues: 0,
    });
  });

  test('is invalid if a file is corrupt or in the wrong folder', async () => {
    const { folder: broken } = await writeDataset(chunks);
    const [first, second] = listFiles(broken);
    writeFileSync(join(broken, first!), readFileSync(join(broken, second!)));
    writeFileSync(join(broken, second!), 'PAR1 and no more');
    expect(await collect(validateDataset(broken))).toMatchObject([
      { rule: 'parquet-metadata-value', place: `${first}: metadata servelens.metric_name` },
      { rule: 'parquet-invalid', place: `${second}: the file` },
    ]);
    expect((await validate(fromPath(broken))).valid).toBe(false);
  });
});

/** Validates a dataset, except its metadata, which describes another run. */
async function findProblems(folder: string): Promise<Issue[]> {
  return (await collect(validateDataset(folder))).filter(({ rule }) => rule !== 'parquet-metadata-value');
}

describe('hostile names', () => {
  const names = [
    '..',
    '.',
    '/',
    'a/b',
    '../../x',
    'C:\\x',
    '100%',
    '%2F',
    'größe',
    'NULL',
    'null',
    '\u{1f600}',
    "it's",
    ' ',
    '=',
  ];

  test('stay in the folder, and are read back', async () => {
    const chunks = names.flatMap((name, i) =>
      ['http://a/metrics', `http://${name}/`].map(url => buildScalar(name, 'gauge', [i], { url })),
    );
    const before = readdirSync(parent).length;
    const { folder, files: count } = await writeDataset(chunks);
    expect(readdirSync(parent)).toHaveLength(before + 1);
    expect(count).toBe(2 * names.length);
    const rows = await query(
      `SELECT endpoint_url, metric_name, value FROM ${formatHiveScan(folder)} ORDER BY ALL`,
    );
    const expected = chunks.map(chunk => ({
      endpoint_url: chunk.endpointUrl,
      metric_name: chunk.metricName,
      value: chunk.values![0],
    }));
    expect(rows.map(row => JSON.stringify(row)).sort()).toEqual(
      expected.map(row => JSON.stringify(row)).sort(),
    );
    expect(await findProblems(folder)).toEqual([]);
  });

  test('that are too long for a folder name are recorded in the metadata and in the summary', async () => {
    const long = 'm'.repeat(300);
    const { folder, shortened } = await writeDataset([
      buildScalar(long, 'gauge', [1]),
      buildScalar(`${long}2`, 'gauge', [2]),
    ]);
    expect(shortened).toEqual([long, `${long}2`]);
    const rows = await Promise.all(listFiles(folder).map(name => readRows(join(folder, name))));
    expect(
      rows
        .flat()
        .map(row => row.metric_name)
        .sort(),
    ).toEqual([long, `${long}2`]);
    expect(await findProblems(folder)).toEqual([]);
  });

  test('that differ in case only have distinct folders', async () => {
    const { folder } = await writeDataset(['a', 'A', 'aA'].map(name => buildScalar(name, 'gauge', [1])));
    const metrics = listFiles(folder).map(name => name.split('/')[1]);
    expect(metrics.sort()).toEqual(['metric_name=%41', 'metric_name=a', 'metric_name=aA']);
    const rows = await query(`SELECT metric_name FROM ${formatHiveScan(folder)} ORDER BY ALL`);
    expect(rows.map(row => row.metric_name)).toEqual(['A', 'a', 'aA']);
  });

  test('that are empty are rejected before anything is written', async () => {
    const writer = await openServerMetricsDataset(join(parent, 'none'), { labelColumns: [], metadata: [] });
    await expect(writer.appendSeries(buildScalar('', 'gauge', [1]))).rejects.toThrow('metric_name is empty');
    await writer.abort();
    expect(readdirSync(parent).filter(name => name.startsWith('none'))).toEqual([]);
  });
});

test('a partition that is resumed after another partition gets a second file', async () => {
  const { folder } = await writeDataset([
    buildScalar('a', 'gauge', [1]),
    buildScalar('b', 'gauge', [2]),
    buildScalar('a', 'gauge', [3]),
  ]);
  expect(listFiles(folder).map(name => name.split('metric_name=')[1])).toEqual([
    'a/part-0.parquet',
    'a/part-1.parquet',
    'b/part-0.parquet',
  ]);
});

describe('the folder', () => {
  const before = [buildScalar('before', 'gauge', [1])];
  const after = [buildScalar('after', 'gauge', [1])];

  test('is replaced as a whole', async () => {
    const { folder } = await writeDataset(before);
    await writeDataset(after, folder);
    expect(listFiles(folder)).toEqual([expect.stringContaining('metric_name=after')]);
    expect(readdirSync(parent).filter(name => name.endsWith('.tmp'))).toEqual([]);
  });

  test('is unchanged until close, and after an abort', async () => {
    const { folder } = await writeDataset(before);
    const writer = await openServerMetricsDataset(folder, { labelColumns: [], metadata: [] });
    await writer.appendSeries(after[0]!);
    expect(listFiles(folder)).toEqual([expect.stringContaining('metric_name=before')]);
    await writer.abort();
    await writer.abort();
    expect(listFiles(folder)).toEqual([expect.stringContaining('metric_name=before')]);
    expect(readdirSync(parent).filter(name => name.endsWith('.tmp'))).toEqual([]);
    await expect(writer.close()).rejects.toThrow('the writer is aborted');
  });

  test('is not replaced if it contains other files', async () => {
    const folder = join(parent, 'other-files');
    mkdirSync(folder);
    writeFileSync(join(folder, 'notes-1.md'), 'not part of a dataset');
    const options = { labelColumns: [], metadata: [] };
    await expect(openServerMetricsDataset(folder, options)).rejects.toThrow(
      '"notes-1.md", which is not part',
    );
    expect(existsSync(join(folder, 'notes-1.md'))).toBe(true);
    rmSync(folder, { recursive: true });
    const writer = await openServerMetricsDataset(folder, options);
    mkdirSync(folder);
    writeFileSync(join(folder, 'notes-2.md'), 'written before close');
    await expect(writer.close()).rejects.toThrow('"notes-2.md", which is not part');
    await writer.abort();
    expect(readdirSync(folder)).toEqual(['notes-2.md']);
  });

  test('is empty for a run without rows', async () => {
    const { folder, rows } = await writeDataset([]);
    expect([rows, readdirSync(folder)]).toEqual([0, []]);
    expect(await findProblems(folder)).toMatchObject([{ rule: 'parquet-invalid', place: 'the dataset' }]);
  });
});

test('500 metrics need fewer than 20 open files at a time', async () => {
  const folder = join(parent, 'many');
  const writer = await openServerMetricsDataset(folder, { labelColumns: [], metadata: [] });
  const countOpenFiles = (): number => readdirSync('/proc/self/fd').length;
  const openBefore = process.platform === 'linux' ? countOpenFiles() : 0;
  let maxOpen = 0;
  for (let i = 0; i < 500; i++) {
    await writer.appendSeries(buildScalar(`metric_${i}`, 'gauge', [i]));
    if (process.platform === 'linux' && i % 100 === 0) maxOpen = Math.max(maxOpen, countOpenFiles());
  }
  expect((await writer.close()).files).toBe(500);
  expect(maxOpen).toBeLessThan(openBefore + 20);
});
