import { expect, test } from 'vitest';
import { MACROS } from '../../src/query/macros.ts';
import { createQueriedRuns, queryRows } from '../support/queries.ts';
import { runReader } from '../support/runReader.ts';

const { runA, runB } = createQueriedRuns('macros');

test('increase and rate evaluate a counter', async () => {
  const sql = `SELECT run, increase(value, timestamp_ns) AS increase, rate(value, timestamp_ns) AS rate
    FROM samples WHERE metric_name = 'vllm:generation_tokens' GROUP BY run ORDER BY run`;
  expect(await queryRows(runA, runB, sql)).toEqual([
    { run: runA, increase: 50, rate: 5 },
    { run: runB, increase: 70, rate: 7 },
  ]);
});

test.each([
  ["le('+Inf') = 'inf'::DOUBLE", true],
  ["le('0.5') = 0.5", true],
  ["le('x') IS NULL", true],
  ["time_of(1700000000123456789) = '2023-11-14 22:13:20.123456789'::TIMESTAMP_NS", true],
])('evaluates %s', async (condition, expected) => {
  expect(await queryRows(runA, `SELECT ${condition} AS is_true`)).toEqual([{ is_true: expected }]);
});

function estimateQuantile(q: number): string {
  return `SELECT histogram_quantile(${q}, le, bucket_count) AS q FROM buckets`;
}

// Of 400 observations, 100 each are in (0, 1], (1, 2], (2, 4] and above 4.
test.each([
  [0, 0],
  [0.01, 0.04],
  [0.1, 0.4],
  [0.25, 1],
  [0.5, 2],
  [0.6, 2.8],
  [0.75, 4],
  [0.76, 4],
  [1, 4],
])('histogram_quantile(%d, ...) is %d', async (q, expected) => {
  const [row] = (await queryRows(runA, estimateQuantile(q))) as { q: number }[];
  expect(row!.q).toBeCloseTo(expected, 12);
});

test.each([
  [-0.1, '-Infinity'],
  [1.1, 'Infinity'],
])('histogram_quantile(%d, ...) is %s, as in Prometheus', async (q, expected) => {
  const { out } = await runReader(['query', runA, estimateQuantile(q), '--format', 'csv']);
  expect(out).toBe(`q\n${expected}\n`);
});

test.each([
  ['without observations', "(1.0, 0.0), ('inf'::DOUBLE, 0.0)"],
  ['without +Inf', '(1.0, 1.0), (2.0, 2.0)'],
  ['with one bucket', "('inf'::DOUBLE, 3.0)"],
])('histogram_quantile is NULL for a histogram %s', async (_, values) => {
  const sql = `SELECT histogram_quantile(0.5, le, n) AS q FROM (VALUES ${values}) b(le, n)`;
  expect(await queryRows(runA, sql)).toEqual([{ q: null }]);
});

test('lists each function under the name that its SQL defines', () => {
  for (const { call, sql } of MACROS) expect(call.split('(')[0]).toBe(sql.split('(')[0]);
});
