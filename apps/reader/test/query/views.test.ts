import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRowsView, quoteLiteral } from '../../src/query/views.ts';
import { writeParquetRun } from '../support/parquetRun.ts';
import { createQueriedRuns, queryRows } from '../support/queries.ts';

const { folder, runA, runB } = createQueriedRuns('views');

test('quotes text as a SQL literal', () => {
  expect(quoteLiteral("it's")).toBe("'it''s'");
});

test('reads the folders of a partitioned dataset as columns', () => {
  const partitioned = { run: "a'b", parquet: 'a/**/*.parquet', partitioned: true };
  expect(createRowsView([partitioned])).toBe(
    "CREATE VIEW rows AS SELECT 'a''b' AS run, * FROM read_parquet('a/**/*.parquet', union_by_name = true, hive_partitioning = true)",
  );
});

test('the samples view omits histogram columns, and returns NULL for missing labels', async () => {
  const sql =
    'SELECT * FROM samples WHERE timestamp_ns = 1700000000000000000 ORDER BY endpoint_url, run, metric_name';
  const rows = await queryRows(runA, runB, sql);
  expect(rows).toHaveLength(4);
  expect((rows as object[])[0]).toEqual({
    run: runA,
    endpoint_url: 'http://a:8000/metrics',
    metric_name: 'vllm:generation_tokens',
    metric_type: 'counter',
    unit: 'tokens',
    description: 'description',
    timestamp_ns: 1700000000000000000,
    model_name: 'm',
    value: 0,
    engine: null,
  });
});

test('the histograms view contains bucket bounds as numbers', async () => {
  const sql = `SELECT bucket_le, le, bucket_count FROM histograms
    WHERE timestamp_ns = 1700000010000000000 AND le < 3 ORDER BY le`;
  expect(await queryRows(runA, sql)).toEqual([
    { bucket_le: '1.0', le: 1, bucket_count: 100 },
    { bucket_le: '2.0', le: 2, bucket_count: 200 },
  ]);
});

test('the buckets view contains the last count of each bucket', async () => {
  const sql = "SELECT bucket_le, bucket_count FROM buckets WHERE bucket_le = '+Inf'";
  expect(await queryRows(runA, sql)).toEqual([{ bucket_le: '+Inf', bucket_count: 400 }]);
});

test('the series view lists every series', async () => {
  const sql = 'SELECT metric_name, samples, last_ns - first_ns AS ns FROM series ORDER BY 1';
  expect(await queryRows(runA, sql)).toEqual([
    { metric_name: 'vllm:e2e_request_latency_seconds', samples: 11, ns: 10_000_000_000 },
    { metric_name: 'vllm:generation_tokens', samples: 11, ns: 10_000_000_000 },
    { metric_name: 'vllm:num_requests_running', samples: 11, ns: 10_000_000_000 },
  ]);
});

test('the runs view contains metadata as columns', async () => {
  const sql = `SELECT run, benchmark_id, start_ns, seconds, endpoints, version, files,
    (input_config->>'concurrency')::INT AS concurrency FROM runs ORDER BY run`;
  const createMetadata = (run: string, step: number): object => ({
    run,
    benchmark_id: `id-${step}`,
    start_ns: 1700000000000000000,
    seconds: 10,
    endpoints: ['http://a:8000/metrics'],
    version: null,
    files: 1,
    concurrency: step,
  });
  expect(await queryRows(runA, runB, sql)).toEqual([createMetadata(runA, 5), createMetadata(runB, 7)]);
});

test.each(['le', 'LE'])('a label %s of metrics without a type is a column of samples only', async label => {
  const run = await writeParquetRun(join(folder, label), 5, label);
  expect(await queryRows(run, `SELECT DISTINCT ${label} AS label FROM samples`)).toEqual([{ label: 'm' }]);
  const bounds = 'SELECT DISTINCT le FROM histograms WHERE le < 3 ORDER BY le';
  expect(await queryRows(run, bounds)).toEqual([{ le: 1 }, { le: 2 }]);
  expect(await queryRows(run, "SELECT le FROM buckets WHERE bucket_le = '1.0'")).toEqual([{ le: 1 }]);
});
