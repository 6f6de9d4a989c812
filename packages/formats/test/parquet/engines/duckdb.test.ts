import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildParquetMetadata, planLabelColumns, type SeriesChunk } from '../../../src/parquet/index.ts';
import { buildScalar, createTimestamps, listExpectedRows } from '../support/chunks.ts';
import { openDuckDB } from '../support/duckdb.ts';
import { createTemporaryFolder, listLabelColumns, writeChunks } from '../support/files.ts';
import { createExampleRun } from '../support/run.ts';

const folder = createTemporaryFolder();
const query = openDuckDB();
const path = join(folder, 'server_metrics_export.parquet');
const chunks = createExampleRun();
const times = Array.from(createTimestamps(20));
const metadata = buildParquetMetadata({
  version: '1.2.3',
  benchmarkId: 'b-1',
  exportTime: new Date(0),
  timeFilterStartNs: times[0]!,
  timeFilterEndNs: times.at(-1)!,
  endpointUrls: ['http://node1:8000/metrics', 'http://node2:8000/metrics'],
  labelColumns: listLabelColumns(chunks),
  metricTypeCounts: { gauge: 1, counter: 1, histogram: 1 },
  modelNames: ['Qwen/Qwen3-0.6B'],
  inputConfig: { größe: ['"', '\n'] },
  hostname: 'host',
});

/** Runs a documented query on the files of this test. */
const runDocumentedQuery = (sql: string) =>
  query(
    sql
      .replaceAll("'server_metrics_export.parquet'", `'${path}'`)
      .replaceAll("'artifacts/", `'${folder}/artifacts/`)
      .replaceAll("'run_", `'${folder}/run_`),
  );

beforeAll(async () => {
  await writeChunks(path, chunks, {
    rowGroupRows: 100,
    metadata,
  });
  const runs = [createExampleRun(), createExampleRun('other', { engine: '1', zone: 'b' })];
  for (const [i, run] of runs.entries()) {
    for (const name of [`artifacts/${i}`, `run_${i}`]) {
      mkdirSync(join(folder, name), { recursive: true });
      await writeChunks(join(folder, name, 'server_metrics_export.parquet'), run);
    }
  }
});

describe('the documented queries', () => {
  test('return the time series of a metric', async () => {
    const rows = await runDocumentedQuery(`SELECT timestamp_ns, value
      FROM 'server_metrics_export.parquet'
      WHERE metric_name = 'vllm:kv_cache_usage_perc'
      ORDER BY timestamp_ns;`);
    expect(rows).toHaveLength(40);
    expect(rows.map(row => row.timestamp_ns)).toEqual(times.flatMap(time => [time, time]));
    expect(
      rows
        .slice(0, 2)
        .map(row => row.value)
        .sort(),
    ).toEqual([0, 0.05]);
  });

  test('filter by label', async () => {
    const rows = await runDocumentedQuery(`SELECT timestamp_ns, value
      FROM 'server_metrics_export.parquet'
      WHERE metric_name = 'vllm:request_success'
        AND model_name = 'Qwen/Qwen3-0.6B'
      ORDER BY timestamp_ns;`);
    expect(rows.map(row => row.value)).toEqual(times.flatMap((_, i) => [i * 10, i * 10]));
  });

  test('return the histogram buckets at the last timestamp', async () => {
    const rows = await runDocumentedQuery(`SELECT bucket_le, bucket_count
      FROM 'server_metrics_export.parquet'
      WHERE metric_name = 'vllm:e2e_request_latency_seconds'
        AND timestamp_ns = (SELECT MAX(timestamp_ns) FROM 'server_metrics_export.parquet'
                            WHERE metric_name = 'vllm:e2e_request_latency_seconds')
      ORDER BY CAST(REPLACE(bucket_le, '+Inf', '999999') AS DOUBLE);`);
    const expected = [
      ['0.3', 4],
      ['1.0', 9],
      ['5.0', 19],
      ['10.0', 19],
      ['+Inf', 20],
    ];
    expect(rows.map(row => [row.bucket_le, row.bucket_count])).toEqual(expected.flatMap(row => [row, row]));
  });

  test('aggregate several runs whose labels differ', async () => {
    const rows = await runDocumentedQuery(`SELECT metric_name, AVG(value) as avg_value
      FROM read_parquet('artifacts/*/server_metrics_export.parquet', union_by_name=true)
      WHERE metric_type = 'gauge'
      GROUP BY metric_name;`);
    expect(rows).toEqual([{ metric_name: 'vllm:kv_cache_usage_perc', avg_value: expect.closeTo(0.5, 12) }]);
  });

  test('compare endpoints', async () => {
    const rows = await runDocumentedQuery(`SELECT endpoint_url, metric_name, AVG(value) as avg_value
      FROM 'server_metrics_export.parquet'
      WHERE metric_type = 'gauge'
      GROUP BY endpoint_url, metric_name;`);
    expect(rows.sort((a, b) => Number(a.avg_value) - Number(b.avg_value))).toEqual([
      {
        endpoint_url: 'http://node1:8000/metrics',
        metric_name: 'vllm:kv_cache_usage_perc',
        avg_value: expect.closeTo(0.475, 12),
      },
      {
        endpoint_url: 'http://node2:8000/metrics',
        metric_name: 'vllm:kv_cache_usage_perc',
        avg_value: expect.closeTo(0.525, 12),
      },
    ]);
  });

  test('return the rows of several runs, with null for labels that a run lacks', async () => {
    const rows = await runDocumentedQuery(
      `SELECT * FROM read_parquet('run_*/server_metrics_export.parquet', union_by_name=true);`,
    );
    expect(rows).toHaveLength(2 * 280);
    const zones = rows.map(row => row.zone);
    expect([zones.filter(zone => zone === null).length, zones.filter(zone => zone === 'b').length]).toEqual([
      280, 280,
    ]);
  });

  test('average the values of a metric in a file', async () => {
    const rows = await runDocumentedQuery(`SELECT AVG(value) FROM 'server_metrics_export.parquet'
      WHERE metric_name = 'vllm:kv_cache_usage_perc'`);
    expect(Object.values(rows[0]!)).toEqual([expect.closeTo(0.5, 12)]);
  });
});

test('DuckDB returns all rows in order', async () => {
  const rows = await query(`SELECT * FROM '${path}'`);
  expect(rows).toEqual(chunks.flatMap(chunk => listExpectedRows(chunk, listLabelColumns(chunks))));
});

describe('the schema', () => {
  test('has the documented types in order', async () => {
    const rows = await query(`DESCRIBE SELECT * FROM '${path}'`);
    expect(rows.map(row => `${row.column_name} ${row.column_type}`)).toEqual([
      'endpoint_url VARCHAR',
      'metric_name VARCHAR',
      'metric_type VARCHAR',
      'unit VARCHAR',
      'description VARCHAR',
      'timestamp_ns BIGINT',
      'finished_reason VARCHAR',
      'model_name VARCHAR',
      'value DOUBLE',
      'sum DOUBLE',
      'count DOUBLE',
      'bucket_le VARCHAR',
      'bucket_count DOUBLE',
    ]);
  });

  test('requires the four non-null columns, and marks strings as text', async () => {
    const rows = await query(
      `SELECT name, type, repetition_type, logical_type FROM parquet_schema('${path}')`,
    );
    const required = rows.filter(row => row.repetition_type === 'REQUIRED' && row.type).map(row => row.name);
    expect(required).toEqual(['endpoint_url', 'metric_name', 'metric_type', 'timestamp_ns']);
    const text = rows.filter(row => row.type === 'BYTE_ARRAY');
    expect(text).toHaveLength(8);
    for (const row of text) expect(String(row.logical_type)).toContain('StringType');
  });
});

test('DuckDB returns the metadata unchanged', async () => {
  const rows = await query(
    `SELECT key::VARCHAR AS key, decode(value) AS value FROM parquet_kv_metadata('${path}')`,
  );
  expect(rows).toEqual(metadata.map(([key, value]) => ({ key, value })));
  expect(rows[0]).toEqual({ key: 'aiperf.schema_version', value: '1.0' });
  expect(rows.at(-1)).toEqual({ key: 'servelens.version', value: '1.2.3' });
  const config = rows.find(row => row.key === 'aiperf.input_config')!;
  expect(JSON.parse(String(config.value))).toEqual({ größe: ['"', '\n'] });
});

describe('row groups', () => {
  test('have statistics and Snappy compression', async () => {
    const rows =
      await query(`SELECT row_group_id, row_group_num_rows, stats_min_value, stats_max_value, stats_null_count, compression
      FROM parquet_metadata('${path}') WHERE path_in_schema = 'metric_name' ORDER BY row_group_id`);
    expect(rows.map(row => [row.row_group_num_rows, row.stats_min_value, row.stats_max_value])).toEqual([
      [100n, 'vllm:e2e_request_latency_seconds', 'vllm:e2e_request_latency_seconds'],
      [100n, 'vllm:e2e_request_latency_seconds', 'vllm:e2e_request_latency_seconds'],
      [80n, 'vllm:kv_cache_usage_perc', 'vllm:request_success'],
    ]);
    for (const row of rows) expect(row).toMatchObject({ compression: 'SNAPPY', stats_null_count: 0n });
  });

  test.each([
    ['timestamp_ns', 'BIGINT', times[0], times.at(-1), 0n],
    // A minimum of zero is written as -0.
    ['value', 'DOUBLE', -0, 190, 200n],
    ['bucket_count', 'DOUBLE', -0, 20, 80n],
    ['finished_reason', 'VARCHAR', 'stop', 'stop', 240n],
  ])('have bounds and null counts for %s', async (column, type, min, max, nullCount) => {
    const rows =
      await query(`SELECT min(stats_min_value::${type}) AS min, max(stats_max_value::${type}) AS max,
      sum(stats_null_count)::BIGINT AS "nullCount" FROM parquet_metadata('${path}') WHERE path_in_schema = '${column}'`);
    expect(rows).toEqual([{ min, max, nullCount }]);
  });

  test('are not read if they do not contain the metric', async () => {
    const file = join(folder, 'skipped.parquet');
    const names = ['a', 'b', 'c', 'd', 'e'];
    await writeChunks(
      file,
      names.map(name => buildScalar(name, 'gauge', [1, 2, 3])),
      { rowGroupRows: 3 },
    );
    // Overwrites all row groups except the third, which contains metric c.
    const [group] = await query(`SELECT min(least(data_page_offset, dictionary_page_offset))::INT AS start,
      sum(total_compressed_size)::INT AS size FROM parquet_metadata('${file}') WHERE row_group_id = 2`);
    const { start, size } = group as { start: number; size: number };
    const bytes = readFileSync(file);
    const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
    bytes.fill(0xff, 4, start).fill(0xff, start + size, footer);
    writeFileSync(file, bytes);
    expect(await query(`SELECT value FROM '${file}' WHERE metric_name = 'c'`)).toEqual([
      { value: 1 },
      { value: 2 },
      { value: 3 },
    ]);
    await expect(query(`SELECT value FROM '${file}' WHERE metric_name = 'd'`)).rejects.toThrow();
  });
});

describe('unusual labels', () => {
  test('that differ in case only from the value column are excluded', async () => {
    const file = join(folder, 'reserved-case.parquet');
    const run = [buildScalar('x', 'gauge', [1.5], { labels: { Value: 'label', engine: '0' } })];
    expect(planLabelColumns(['Value', 'engine']).excluded).toEqual(['Value']);
    await writeChunks(file, run);
    expect(await query(`SELECT value FROM '${file}'`)).toEqual([{ value: 1.5 }]);
  });

  test('that differ from each other in case only are kept; DuckDB renames the second', async () => {
    const file = join(folder, 'case.parquet');
    await writeChunks(file, [buildScalar('x', 'gauge', [1], { labels: { model: 'b', Model: 'A' } })]);
    expect(await query(`SELECT "Model", model_1, value FROM '${file}'`)).toEqual([
      { Model: 'A', model_1: 'b', value: 1 },
    ]);
  });

  test.each<[string, SeriesChunk]>([
    [
      'labels named __proto__ and constructor',
      buildScalar('x', 'gauge', [1], { labels: JSON.parse('{"__proto__":"p","constructor":"c"}') }),
    ],
    ['a label named le', buildScalar('x', 'gauge', [1], { labels: { le: '0.5' } })],
    [
      'names and values outside ASCII',
      buildScalar('größe', 'gauge', [1], { labels: { 'schlüssel.mit,komma': '漢\u{1F600}' } }),
    ],
    ['a label with an empty value', buildScalar('x', 'gauge', [1], { labels: { a: '' } })],
  ])('are read back unchanged: %s', async (name, chunk) => {
    const file = join(folder, `${name.length}.parquet`);
    await writeChunks(file, [chunk]);
    expect(await query(`SELECT * FROM '${file}'`)).toEqual(
      listExpectedRows(chunk, listLabelColumns([chunk])),
    );
  });
});

test('an export without rows can be queried', async () => {
  const file = join(folder, 'empty.parquet');
  await writeChunks(file, []);
  expect(await query(`SELECT count(*) AS n FROM '${file}'`)).toEqual([{ n: 0n }]);
});
