import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/**
 * Writes the Parquet export of a run of 10 s with DuckDB. The run has a gauge, a counter that increases by `step` per
 * second, and a histogram with 40 observations per second: 10 up to 1 s, 20 up to 2 s, and 30 up to 4 s. `label` is
 * the name of the only label. Returns the path of the export.
 */
export async function writeParquetRun(folder: string, step: number, label = 'model_name'): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'server_metrics_export.parquet');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (
    WITH times AS (SELECT i, 1700000000000000000 + i * 1000000000 AS t FROM range(11) s(i)),
    rows AS (
      SELECT 'vllm:num_requests_running' AS metric_name, 'gauge' AS metric_type, '' AS unit, t,
        (i % 3)::DOUBLE AS value, NULL AS sum, NULL AS count, NULL AS le, NULL AS n FROM times
      UNION ALL SELECT 'vllm:generation_tokens', 'counter', 'tokens', t, i * ${step}.0, NULL, NULL, NULL, NULL FROM times
      UNION ALL SELECT 'vllm:e2e_request_latency_seconds', 'histogram', 'seconds', t, NULL, i * 60.0, i * 40.0, le, i * n
      FROM times, (VALUES ('1.0', 10.0), ('2.0', 20.0), ('4.0', 30.0), ('+Inf', 40.0)) b(le, n)
    )
    SELECT 'http://a:8000/metrics' AS endpoint_url, metric_name, metric_type, unit, 'description' AS description,
      t AS timestamp_ns, 'm' AS ${label}, value::DOUBLE AS value, sum::DOUBLE AS sum, count::DOUBLE AS count,
      le AS bucket_le, n::DOUBLE AS bucket_count
    FROM rows ORDER BY metric_name, t
  ) TO '${file.replaceAll("'", "''")}' (FORMAT parquet, KV_METADATA {
    'aiperf.benchmark_id': 'id-${step}',
    'aiperf.time_filter_start_ns': '1700000000000000000',
    'aiperf.profiling_duration_seconds': '10.0',
    'aiperf.endpoint_urls': '["http://a:8000/metrics"]',
    'aiperf.input_config': '{"concurrency":${step}}'
  })`);
  connection.closeSync();
  instance.closeSync();
  return file;
}
