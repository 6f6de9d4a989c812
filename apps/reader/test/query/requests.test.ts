import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createQueriedRuns, queryRows } from '../support/queries.ts';
import { runReader } from '../support/runReader.ts';
import { writeSweptRun } from '../support/sweptRuns.ts';

const { folder, runA, runB } = createQueriedRuns('query-requests');

/** Requests of AIPerf 0.13.0, by endpoint and outcome. */
const REQUESTS = join(import.meta.dirname, '../../../../packages/run/test/files/aiperf-metrics');
const NAMES = readdirSync(REQUESTS).filter(name => name.endsWith('.jsonl'));

interface Line {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly metrics: Readonly<Record<string, { readonly value: number | number[]; readonly unit: string }>>;
  readonly error?: unknown;
  /** The start of the request, which identifies it. It has more digits than a double. */
  readonly startNs: string;
}

const readLines = (name: string): Line[] =>
  readFileSync(join(REQUESTS, name), 'utf8')
    .trim()
    .split('\n')
    .map(line => ({
      ...(JSON.parse(line) as Omit<Line, 'startNs'>),
      startNs: /"request_start_ns":(\d+)/.exec(line)![1]!,
    }));

/** Creates a run with samples and the requests of a file. */
function createRun(name: string): string {
  const run = join(folder, name);
  cpSync(runA, run, { recursive: true });
  writeFileSync(join(run, 'profile_export.jsonl'), readFileSync(join(REQUESTS, name)));
  return run;
}

describe.each(NAMES)('the view requests of %s', name => {
  test('contains every metric of every request', async () => {
    const rows = (await queryRows(
      createRun(name),
      `SELECT start_ns::VARCHAR AS start, metric_name, unit, coalesce(value_list, [value]) AS numbers
       FROM requests WHERE metric_name IS NOT NULL`,
    )) as { start: string; metric_name: string; unit: string; numbers: number[] }[];
    const found = new Map(rows.map(row => [`${row.start} ${row.metric_name}`, row]));
    const lines = readLines(name);
    const tags = new Set(lines.flatMap(({ metrics }) => Object.keys(metrics)));
    expect(tags.size).toBeGreaterThan(2);
    expect(new Set(rows.map(row => row.metric_name))).toEqual(tags);
    for (const { startNs, metrics } of lines)
      for (const [tag, { value, unit }] of Object.entries(metrics))
        expect(found.get(`${startNs} ${tag}`), tag).toMatchObject({ unit, numbers: [value].flat() });
  });

  test('has the phase and the outcome of every request', async () => {
    const rows = await queryRows(
      createRun(name),
      `SELECT DISTINCT start_ns::VARCHAR AS start, phase, was_cancelled, error IS NOT NULL AS failed
       FROM requests ORDER BY start_ns::VARCHAR`,
    );
    const expected = readLines(name).map(({ metadata, error, startNs }) => ({
      start: startNs,
      phase: metadata.benchmark_phase,
      was_cancelled: metadata.was_cancelled,
      failed: Boolean(error),
    }));
    expect(rows).toEqual(expected.sort((a, b) => (a.start < b.start ? -1 : 1)));
  });
});

test('the requests of several runs are in one view', async () => {
  const runs = ['completions.jsonl', 'embeddings.jsonl'].map(createRun);
  const sql =
    'SELECT run, count(DISTINCT start_ns)::INTEGER AS requests FROM requests GROUP BY run ORDER BY run';
  expect(await queryRows(...runs, runB, sql)).toEqual(
    runs.map(run => ({ run, requests: readLines(run.slice(folder.length + 1)).length })),
  );
});

test('the requests of a sweep have its columns', async () => {
  const sweep = join(folder, 'sweep');
  for (const concurrency of [1, 2]) {
    const run = writeSweptRun(sweep, concurrency, [5]);
    writeFileSync(join(run, 'profile_export.jsonl'), readFileSync(join(REQUESTS, 'embeddings.jsonl')));
  }
  const sql =
    'SELECT concurrency, count(DISTINCT start_ns)::INTEGER AS n FROM requests GROUP BY ALL ORDER BY 1';
  const { out } = await runReader(['query', sweep, sql, '--format', 'csv']);
  expect(out).toBe('concurrency,n\n1,12\n2,12\n');
});

test('a run without requests has an empty view', async () => {
  expect(await queryRows(runA, 'SELECT count(*)::INTEGER AS n FROM requests')).toEqual([{ n: 0 }]);
});

test('a line that was cut off is skipped', async () => {
  const run = createRun('completions.jsonl');
  const { length } = readLines('completions.jsonl');
  appendFileSync(join(run, 'profile_export.jsonl'), '{"metadata": {"request_start_ns": 1, "metr');
  const sql = 'SELECT count(DISTINCT start_ns)::INTEGER AS n FROM requests';
  expect(await queryRows(run, sql)).toEqual([{ n: length }]);
});

test('the requests file is found next to a Parquet file, and is never overwritten', async () => {
  const run = createRun('embeddings.jsonl');
  const parquet = join(run, 'server_metrics_export.parquet');
  const sql = 'SELECT count(*) > 0 AS found FROM requests';
  expect(await queryRows(parquet, sql)).toEqual([{ found: true }]);
  const output = join(run, 'profile_export.jsonl');
  const { code, err } = await runReader(['query', run, 'SELECT * FROM requests', '--output', output]);
  expect(code).toBe(2);
  expect(err).toContain('profile_export.jsonl');
  rmSync(run, { recursive: true });
});
