import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { openDuckDB } from '../../packages/formats/test/parquet/support/duckdb.ts';
import { findSqlStatements, readSharedDocument } from './sharedDocuments.ts';

const runs = inject('runs');
const query = openDuckDB();
const FILE = 'server_metrics_export.parquet';

/** Names in the examples, and names of the same type in the metrics of Prometheus, which replace them. */
const NAMES: Readonly<Record<string, string>> = {
  'vllm:kv_cache_usage_perc': 'process_resident_memory_bytes',
  'vllm:request_success': 'prometheus_http_requests',
  'vllm:e2e_request_latency_seconds': 'prometheus_http_request_duration_seconds',
  "model_name = 'Qwen/Qwen3-0.6B'": "handler = '/metrics'",
  'vllm:%': 'prometheus_%',
};

const CASES = [
  { run: 'vllm', title: 'unmodified', adapt: (sql: string) => sql },
  { run: 'servers', title: 'with names of Prometheus metrics', adapt: renameMetrics },
] as const;

/** The examples are read from the shared test data. */
describe.skipIf(!runs).each(['000', '002'])('the SQL examples of document %s', number => {
  const text = readSharedDocument(number);
  const statements = findSqlStatements(text ?? '');

  describe.skipIf(statements.length === 0).each(CASES)('$title', ({ run, adapt }) => {
    beforeAll(async () => {
      const folder = join(runs![run], `sql-${number}`);
      for (const subfolder of ['.', 'artifacts/run1', 'artifacts/run2', 'run_1', 'run_2']) {
        mkdirSync(join(folder, subfolder), { recursive: true });
        copyFileSync(join(runs![run], FILE), join(folder, subfolder, FILE));
      }
      await query(`SET file_search_path = '${folder}'`);
    });

    test.each(statements)('%s', async statement => {
      const rows = await query(adapt(statement));
      expect(rows.length).toBeGreaterThan(0);
      // None of the queries selects columns that are empty in every row.
      for (const name of Object.keys(rows[0]!).filter(column =>
        /^(timestamp_ns|.*value.*|bucket_.*)$/.test(column),
      ))
        expect(
          rows.some(row => row[name] !== null),
          name,
        ).toBe(true);
    });
  });

  test.skipIf(text === undefined)('are found', () => {
    expect(statements.length).toBeGreaterThanOrEqual(number === '000' ? 7 : 3);
  });
});

function renameMetrics(sql: string): string {
  return Object.entries(NAMES).reduce((text, [from, to]) => text.replaceAll(from, to), sql);
}
