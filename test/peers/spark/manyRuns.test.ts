import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describePeer } from '../support/peer.ts';
import { runScript } from '../support/python.ts';
import { servelens, servelensJson } from '../support/servelens.ts';
import { withSimulator } from '../support/simulator.ts';
import { type Bucket, interpolate, parseBound } from './interpolate.ts';

/** Number of runs that are recorded. Each of them is copied, because recording a thousand runs would take hours. */
const RECORDED_RUNS = 4;
const COPIES = 250;

interface CounterRow {
  readonly metric_name: string;
  readonly runs: number;
  readonly increase: number;
}

interface BucketRow {
  readonly metric_name: string;
  readonly bucket_le: string;
  readonly count: number;
}

describePeer('spark', 'A thousand runs as one table', peer => {
  const folder = mkdtempSync(join(tmpdir(), 'many-runs-'));
  let spark: { readonly counters: readonly CounterRow[]; readonly buckets: readonly BucketRow[] };

  beforeAll(async () => {
    const recorded = join(folder, 'recorded');
    for (let run = 0; run < RECORDED_RUNS; run++) {
      const load = ['--seed', String(run), '--arrival-rate', String(5 + 5 * run)];
      await withSimulator(load, url =>
        servelens(
          ...['collect', '--server-metrics', url, '--duration', '3', '--no-gpu-telemetry'],
          ...['--server-metrics-formats', 'parquet', '--artifact-dir', join(recorded, String(run))],
        ),
      );
      for (let copy = 0; copy < COPIES; copy++) {
        const target = join(folder, 'runs', `run-${run}-${copy}`);
        mkdirSync(target, { recursive: true });
        const file = 'server_metrics_export.parquet';
        copyFileSync(join(recorded, String(run), file), join(target, file));
      }
    }
    const script = join(import.meta.dirname, 'read_runs.py');
    spark = (await runScript(peer, script, [join(folder, 'runs')], {
      SPARK_LOCAL_IP: '127.0.0.1',
    })) as typeof spark;
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const query = <T>(sql: string): Promise<readonly T[]> => {
    const runs = readdirSync(join(folder, 'runs')).map(name => join(folder, 'runs', name));
    return servelensJson('read', 'query', ...runs, sql, '--format', 'json');
  };

  test('Spark and read query find the same increases of all counters in all runs', async () => {
    const rows = await query<CounterRow>(
      `SELECT metric_name, count(DISTINCT run)::INTEGER AS runs, sum(increase) AS increase
       FROM (SELECT * EXCLUDE (value, timestamp_ns), increase(value, timestamp_ns) AS increase
             FROM samples WHERE metric_type = 'counter' GROUP BY ALL)
       GROUP BY metric_name`,
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(byName(rows)).toEqual(byName(spark.counters));
    expect(rows.find(({ metric_name: name }) => name === 'vllm:generation_tokens')!.runs).toBe(
      RECORDED_RUNS * COPIES,
    );
  });

  test('the macro of quantiles is linear interpolation in the buckets that Spark adds up', async () => {
    const metric = 'vllm:e2e_request_latency_seconds';
    const [row] = await query<{ readonly p90: number }>(
      `SELECT histogram_quantile(0.9, le, count) AS p90
       FROM (SELECT le, sum(bucket_count) AS count FROM buckets WHERE metric_name = '${metric}' GROUP BY le)`,
    );
    const buckets = spark.buckets.filter(({ metric_name: name }) => name === metric);
    expect(row!.p90).toBeCloseTo(interpolate(buckets.map(toBucket), 0.9), 9);
  });
});

function byName(rows: readonly CounterRow[]): Readonly<Record<string, readonly [number, number]>> {
  return Object.fromEntries(
    rows.map(({ metric_name: name, runs, increase }) => [name, [runs, Number(increase.toPrecision(9))]]),
  );
}

function toBucket({ bucket_le: bound, count }: BucketRow): Bucket {
  return { bound: parseBound(bound), count };
}
