import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describePeer } from '../support/peer.ts';
import { runScript } from '../support/python.ts';
import { servelens, servelensJson } from '../support/servelens.ts';
import { withSimulator } from '../support/simulator.ts';
import { type Bucket, interpolate, parseBound } from './interpolate.ts';

/** Number of recorded runs, and of copies of each run. `npm run bench -- dataset` measures a thousand runs. */
const RECORDED_RUNS = 2;
const COPIES = 5;

interface CounterRow {
  readonly run: string;
  readonly metric_name: string;
  readonly increase: number;
}

interface BucketRow {
  readonly run: string;
  readonly metric_name: string;
  readonly le: number | '+Inf';
  readonly count: number;
}

interface SparkResult {
  readonly counters: readonly CounterRow[];
  readonly buckets: readonly BucketRow[];
  readonly rows: Readonly<Record<string, number>>;
}

describePeer('spark', 'The dataset of many runs', peer => {
  const folder = mkdtempSync(join(tmpdir(), 'dataset-'));
  const dataset = join(folder, 'dataset');
  let spark: SparkResult;

  beforeAll(async () => {
    const runs: string[] = [];
    for (let run = 0; run < RECORDED_RUNS; run++) {
      const recorded = join(folder, 'runs', `${run}`);
      await withSimulator(['--seed', String(run), '--arrival-rate', String(10 + 10 * run)], url =>
        servelens(
          ...['collect', '--server-metrics', url, '--duration', '3', '--no-gpu-telemetry'],
          ...['--server-metrics-formats', 'json', 'parquet', '--artifact-dir', recorded],
        ),
      );
      runs.push(recorded);
      for (let copy = 1; copy < COPIES; copy++) {
        runs.push(join(folder, 'runs', `${run}${copy}`));
        cpSync(recorded, runs.at(-1)!, { recursive: true });
      }
    }
    await servelens('read', 'dataset', ...runs, '--output', dataset);
    const script = join(import.meta.dirname, 'read_dataset.py');
    spark = (await runScript(peer, script, [dataset], { SPARK_LOCAL_IP: '127.0.0.1' })) as SparkResult;
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const query = <T>(sql: string): Promise<readonly T[]> =>
    servelensJson('read', 'query', dataset, sql, '--format', 'json');

  test('all tables have the same rows', async () => {
    for (const [table, rows] of Object.entries(spark.rows)) {
      const [row] = await query<{ readonly n: number }>(`SELECT count(*)::INTEGER AS n FROM ${table}`);
      expect(rows, table).toBe(row!.n);
      expect(rows, table).toBeGreaterThan(RECORDED_RUNS * COPIES - 1);
    }
  });

  test('the macro of increases has the results of Spark, for each run and counter', async () => {
    const rows = await query<CounterRow>(
      `SELECT run, metric_name, sum(increase) AS increase
       FROM (SELECT * EXCLUDE (value, timestamp_ns, description), increase(value, timestamp_ns) AS increase
             FROM samples WHERE metric_type = 'counter' GROUP BY ALL)
       GROUP BY ALL`,
    );
    expect(new Set(rows.map(({ run }) => run)).size).toBe(RECORDED_RUNS * COPIES);
    expect(rows.length).toBeGreaterThan(10 * RECORDED_RUNS * COPIES);
    expect(toRecord(rows)).toEqual(toRecord(spark.counters));
  });

  test('the macro of quantiles interpolates in the buckets that Spark adds up', async () => {
    const metric = 'vllm:e2e_request_latency_seconds';
    const rows = await query<{ readonly run: string; readonly p90: number }>(
      `SELECT run, histogram_quantile(0.9, le, count) AS p90
       FROM (SELECT run, le, sum(bucket_count) AS count FROM buckets WHERE metric_name = '${metric}' GROUP BY ALL)
       GROUP BY run`,
    );
    expect(rows).toHaveLength(RECORDED_RUNS * COPIES);
    for (const { run, p90 } of rows) {
      const own = spark.buckets.filter(row => row.run === run && row.metric_name === metric);
      expect(p90, run).toBeCloseTo(interpolate(own.map(toBucket), 0.9), 9);
    }
  });
});

function toRecord(rows: readonly CounterRow[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    rows.map(({ run, metric_name: name, increase }) => [`${run} ${name}`, Number(increase.toPrecision(9))]),
  );
}

function toBucket({ le, count }: BucketRow): Bucket {
  return { bound: parseBound(le), count };
}
