import { join } from 'node:path';
import { writeServerMetricsJson } from '@org/formats/write';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createCounter,
  createDocument,
  createMetric,
  createTempFolder,
} from '../../../../packages/analysis/test/documents.ts';
import { writeParquetRun } from '../support/parquetRun.ts';
import { queryRows } from '../support/queries.ts';
import { writeTestFile } from '../support/runReader.ts';

const { path: root, remove } = createTempFolder('query-derived');
const run = join(root, 'run');
afterAll(remove);

beforeAll(async () => {
  const counter = (total: number, slices: readonly number[]): object =>
    createMetric('counter', [createCounter(total, { slices })]);
  const document = createDocument({
    'vllm:prefix_cache_hits': counter(30, [1, 2]),
    'vllm:prefix_cache_queries': counter(40, [4, 4]),
    'vllm:generation_tokens': counter(50, [1, 1]),
  });
  await writeParquetRun(run, 5);
  writeTestFile(run, 'server_metrics_export.json', writeServerMetricsJson(document as never));
  writeTestFile(
    root,
    'mine.yaml',
    'name: Mine\nrecognize: { prefixes: [] }\nformulas:\n  - { name: doubled, formula: output_tokens * 2, unit: tokens, meaning: Twice the tokens. }\n',
  );
});

test('the view derived has a row for the period and one per timeslice', async () => {
  const sql = `SELECT server, endpoint, start_ns IS NULL AS is_period, value, is_exact FROM derived
    WHERE metric_name = 'prefix_cache_hit_rate' ORDER BY start_ns NULLS FIRST`;
  const row = { server: 'vLLM', endpoint: 'localhost:8000', is_exact: true };
  expect(await queryRows(run, sql)).toEqual([
    { ...row, is_period: true, value: 0.75 },
    { ...row, is_period: false, value: 0.25 },
    { ...row, is_period: false, value: 0.5 },
  ]);
});

test('the view derived has the reasons of unknown values', async () => {
  const sql = "SELECT value, missing FROM derived WHERE metric_name = 'tokens_per_step'";
  expect(await queryRows(run, sql)).toEqual([
    { value: null, missing: 'needs step_tokens, which vLLM at localhost:8000 does not export' },
  ]);
});

test('formulas of --servers are in the view', async () => {
  const sql = "SELECT value FROM derived WHERE metric_name = 'doubled' AND start_ns IS NULL";
  expect(await queryRows('--servers', join(root, 'mine.yaml'), run, sql)).toEqual([{ value: 100 }]);
});
