import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readerMain } from '../../src/main.ts';
import { writeParquetRun } from '../support/parquetRun.ts';

const folder = mkdtempSync(join(tmpdir(), 'query-'));
const one = join(folder, 'one');
const two = join(folder, 'two');

beforeAll(async () => {
  await writeParquetRun(one, 5);
  await writeParquetRun(two, 7, 'engine');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(args: readonly string[], columns?: number): Promise<Said> {
  const written = { out: '', err: '' };
  const sink = (to: 'out' | 'err'): Writable =>
    new Writable({
      write(chunk, _, done) {
        written[to] += String(chunk);
        done();
      },
    });
  const screen = columns === undefined ? {} : { isTTY: true, columns };
  const stdout = Object.assign(sink('out'), screen);
  const code = await readerMain(['query', ...args], {
    stdout,
    stderr: sink('err'),
    env: {},
    cwd: process.cwd(),
  });
  return { code, ...written };
}

async function rows(...args: string[]): Promise<unknown> {
  const { code, out, err } = await run([...args, '--format', 'json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

describe('views', () => {
  test('samples omits histogram columns, and has NULL for missing labels', async () => {
    const answer = await rows(one, two, 'SELECT * FROM samples WHERE timestamp_ns = 1700000000000000000');
    expect(answer).toHaveLength(4);
    expect((answer as object[])[0]).toEqual({
      run: one,
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

  test('series lists every series', async () => {
    expect(
      await rows(one, 'SELECT metric_name, samples, last_ns - first_ns AS ns FROM series ORDER BY 1'),
    ).toEqual([
      { metric_name: 'vllm:e2e_request_latency_seconds', samples: 11, ns: 10_000_000_000 },
      { metric_name: 'vllm:generation_tokens', samples: 11, ns: 10_000_000_000 },
      { metric_name: 'vllm:num_requests_running', samples: 11, ns: 10_000_000_000 },
    ]);
  });

  test('runs has metadata as columns', async () => {
    const sql = `SELECT run, benchmark_id, start_ns, seconds, endpoints, version, files,
      (input_config->>'concurrency')::INT AS concurrency FROM runs ORDER BY run`;
    expect(await rows(one, two, sql)).toEqual([
      { ...metadata(one, 5), concurrency: 5 },
      { ...metadata(two, 7), concurrency: 7 },
    ]);
  });

  function metadata(name: string, step: number): object {
    return {
      run: name,
      benchmark_id: `id-${step}`,
      start_ns: 1700000000000000000,
      seconds: 10,
      endpoints: ['http://a:8000/metrics'],
      version: null,
      files: 1,
    };
  }

  test('reads a run once if named twice, and expands globs', async () => {
    const sql = 'SELECT run, count(*) AS n FROM rows GROUP BY run ORDER BY run';
    const both = [
      { run: one, n: 66 },
      { run: two, n: 66 },
    ];
    expect(await rows(one, join(one, 'server_metrics_export.parquet'), two, sql)).toEqual(both);
    expect(await rows(join(folder, '*', '*.parquet'), sql)).toEqual(both);
  });
});

describe('functions', () => {
  test('computes increase and rate of a counter', async () => {
    const sql = `SELECT run, increase(value, timestamp_ns) AS increase, rate(value, timestamp_ns) AS rate
      FROM samples WHERE metric_name = 'vllm:generation_tokens' GROUP BY run ORDER BY run`;
    expect(await rows(one, two, sql)).toEqual([
      { run: one, increase: 50, rate: 5 },
      { run: two, increase: 70, rate: 7 },
    ]);
  });

  // 100 of 400 observations each are in (0, 1], (1, 2], (2, 4] and above.
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
    const [row] = (await rows(one, `SELECT ${estimate(q)} AS q FROM buckets`)) as { q: number }[];
    expect(row!.q).toBeCloseTo(expected, 12);
  });

  test.each([
    [-0.1, '-Infinity'],
    [1.1, 'Infinity'],
  ])('returns %s for a quantile of %d, as Prometheus does', async (q, expected) => {
    const { out } = await run([one, `SELECT ${estimate(q)} AS q FROM buckets`, '--format', 'csv']);
    expect(out).toBe(`q\n${expected}\n`);
  });

  test.each([
    ['no observations', "(1.0, 0.0), ('inf'::DOUBLE, 0.0)"],
    ['no +Inf', '(1.0, 1.0), (2.0, 2.0)'],
    ['one bucket', "('inf'::DOUBLE, 3.0)"],
  ])('estimates nothing for %s', async (_, values) => {
    const sql = `SELECT histogram_quantile(0.5, le, n) AS q FROM (VALUES ${values}) b(le, n)`;
    expect(await rows(one, sql)).toEqual([{ q: null }]);
  });

  function estimate(q: number): string {
    return `histogram_quantile(${q}, le, bucket_count)`;
  }
});

describe('formats', () => {
  const VALUES = `SELECT 1152921504606846977 AS big, 'nan'::DOUBLE AS nan, [1, 2] AS list, NULL AS none,
    DATE '2026-01-02' AS day, 'a,"b' || chr(10) AS text, 0.5 AS half`;

  test('writes integers with all digits and NaN as null to JSON', async () => {
    const { out } = await run([one, VALUES, '--format', 'json']);
    expect(out).toBe(
      '[\n{"big":1152921504606846977,"nan":null,"list":[1,2],"none":null,"day":"2026-01-02",' +
        '"text":"a,\\"b\\n","half":0.5}\n]\n',
    );
  });

  test('writes an empty list without rows', async () => {
    expect(await rows(one, 'SELECT 1 AS a WHERE false')).toEqual([]);
  });

  test('quotes CSV values', async () => {
    const { out } = await run([one, VALUES, '--format', 'csv']);
    expect(out).toBe(
      'big,nan,list,none,day,text,half\n1152921504606846977,NaN,"[1,2]",,2026-01-02,"a,""b\n",0.5\n',
    );
  });

  test('prints tables, and blocks if they are too wide', async () => {
    const sql = "SELECT 'vllm:a' AS metric, 12 AS samples, NULL AS engine UNION ALL SELECT 'b', 3, NULL";
    expect((await run([one, sql], 80)).out).toBe(
      'metric  samples  engine\n──────  ───────  ──────\nvllm:a       12\nb             3\n2 rows\n',
    );
    expect((await run([one, sql], 20)).out).toBe(
      'metric   vllm:a\nsamples  12\n\nmetric   b\nsamples  3\n\n2 rows\n',
    );
  });

  test("a server's control characters do not reach the terminal", async () => {
    const { out } = await run([one, "SELECT chr(27) || '[2J' AS x"], 80);
    expect(out).not.toContain('\u001b');
  });

  test('writes Parquet to a file that can be queried', async () => {
    const file = join(folder, 'answer.parquet');
    expect((await run([one, 'SELECT * FROM rows;', '--output', file])).code).toBe(0);
    expect(await rows(file, 'SELECT count(*) AS n FROM rows')).toEqual([{ n: 66 }]);
  });

  test('infers the format from the name of the file', async () => {
    const file = join(folder, 'answer.csv');
    expect((await run([one, 'SELECT 1 AS a', '-o', file])).out).toBe('');
    expect(readFileSync(file, 'utf8')).toBe('a\n1\n');
  });

  test('prints long results in batches', async () => {
    const { out } = await run([one, 'SELECT range AS i FROM range(100000)', '--format', 'csv']);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(100_001);
    expect(lines.at(-1)).toBe('99999');
  });

  test('runs several statements in order', async () => {
    const sql = join(folder, 'two.sql');
    writeFileSync(sql, 'CREATE TEMP TABLE t AS SELECT 1 AS a; SELECT a FROM t;\nSELECT 2 AS b;');
    const { out } = await run([one, '--file', sql, '--format', 'csv']);
    expect(out).toBe('a\n1\nb\n2\n');
  });
});

test.each<[string, () => string[], RegExp]>([
  ['no run', () => ['SELECT 1 AS a'], /missing run/],
  ['no such run', () => [join(folder, 'none'), 'SELECT 1 AS a'], /no such file or folder/],
  ['nothing that fits', () => [join(folder, '*.nothing'), 'SELECT 1 AS a'], /no file matches/],
  ['no Parquet', () => [folder, 'SELECT 1 AS a'], /contains no server metrics/],
  ['a column that is not there', () => [one, 'SELECT valve FROM samples'], /"valve" not found[\s\S]*value/],
  ['no SQL', () => [one, 'SELEKT 1 x'], /syntax error at or near "SELEKT"/],
  ['Parquet to the screen', () => [one, 'SELECT 1 AS a', '--format', 'parquet'], /requires --output/],
  ['a folder that is not there', () => [one, 'SELECT 1 AS a', '-o', '/no/such/x.csv'], /--output/],
  ['no file with SQL', () => [one, '--file', '/no/such.sql'], /--file "\/no\/such\.sql"/],
])('reports the problem: %s', async (_, args, message) => {
  const { code, out, err } = await run(args());
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(message);
  expect(err).not.toMatch(/\n +at /);
});

test('names a file that is not Parquet', async () => {
  const file = join(folder, 'broken.parquet');
  writeFileSync(file, 'PAR1 nothing of the kind PAR1');
  const { code, err } = await run([file, 'SELECT 1 AS a']);
  expect(code).toBe(2);
  expect(err).toContain('broken.parquet');
});

test('the prompt reads statements from a pipe and continues after an error', () => {
  const input = 'SELECT 1 AS a;\n.tables\n.mode csv\nSELEKT 1;\nSELECT\n  2 AS b;\n.what\nSELECT 3 AS c';
  const bin = join(import.meta.dirname, '../../bin/servelens-reader.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'query', one], {
    input,
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(status).toBe(0);
  expect(stderr).toMatch(/^Parser Error: syntax error at or near "SELEKT"/);
  expect(stdout).toMatch(/^a\n─\n1\n1 row\nsamples\n[\s\S]*b\n2\nunknown command "\.what"\n[\s\S]*c\n3\n$/);
});

test('fits columns to later rows', async () => {
  const sql =
    "SELECT 'a' AS name UNION ALL SELECT 'a longer name' UNION ALL SELECT repeat('b', i::INT % 30) FROM range(500) s(i)";
  const { out } = await run([one, sql], 80);
  expect(out).not.toContain('…');
  expect(out).toMatch(/502 rows\n$/);
});
