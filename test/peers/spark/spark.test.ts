import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describePeer } from '../support/peer.ts';
import { runScript } from '../support/python.ts';
import { servelens, servelensJson } from '../support/servelens.ts';
import { MODEL, withSimulator } from '../support/simulator.ts';

const REQUESTS = 20;
const ARGS = [
  ...['--model', MODEL, '--streaming', '--concurrency', '4', '--request-count', String(REQUESTS)],
  ...['--slice-duration', '1', '--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet'],
];

/** Columns of the Parquet export with numbers to add up. */
const PARQUET_SUMS = ['value', 'sum', 'count', 'bucket_count'];

interface Column {
  readonly values: number;
  readonly sum?: number;
}

interface Table {
  readonly rows: number;
  readonly columns: Readonly<Record<string, Column>>;
}

describePeer('spark', 'Spark reads a folder of Servelens', peer => {
  const folder = mkdtempSync(join(tmpdir(), 'spark-'));
  let tables: Readonly<Record<string, { readonly spark: readonly Table[] }>>;
  afterAll(() => rmSync(folder, { recursive: true }));

  beforeAll(async () => {
    await withSimulator(['--seed', '5'], url =>
      servelens('profile', ...ARGS, '--url', url, '--artifact-dir', folder),
    );
    const script = join(import.meta.dirname, 'read_tables.py');
    tables = (await runScript(peer, script, [folder], { SPARK_LOCAL_IP: '127.0.0.1' })) as typeof tables;
  });

  test.each(['profile_export.jsonl', 'server_metrics_export.jsonl'])('%s has a row per line', name => {
    const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
    expect(tables[name]!.spark[0]!.rows).toBe(lines.length);
    expect(Object.keys(tables[name]!.spark[0]!.columns).sort()).toEqual(listKeys(lines));
  });

  test.each(['profile_export_aiperf.json', 'server_metrics_export.json'])('%s has all fields', name => {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(Object.keys(tables[name]!.spark[0]!.columns).sort()).toEqual(listKeys([text]));
  });

  test('the sections of a CSV file have all rows', () => {
    const name = 'server_metrics_export.csv';
    const sections = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n\n');
    expect(tables[name]!.spark.map(({ rows }) => rows)).toEqual(
      sections.map(section => section.trimEnd().split('\n').length - 1),
    );
  });

  test('the Parquet file has the rows and sums that DuckDB reads', async () => {
    const sums = PARQUET_SUMS.map(name => `sum("${name}") AS "${name}"`).join(', ');
    const sql = `SELECT count(*)::INT AS rows, ${sums} FROM rows`;
    const query = ['read', 'query', join(folder, 'server_metrics_export.parquet'), sql];
    const [expected] = await servelensJson<Readonly<Record<string, number>>[]>(...query, '--format', 'json');
    const { rows, columns } = tables['server_metrics_export.parquet']!.spark[0]!;
    expect(rows).toBe(expected!.rows);
    for (const name of PARQUET_SUMS) expect(columns[name]!.sum! / expected![name]!, name).toBeCloseTo(1, 9);
  });
});

/** Returns the names of the fields that have a value in any of these JSON objects. */
function listKeys(texts: readonly string[]): string[] {
  const keys = texts.flatMap(text =>
    Object.entries(JSON.parse(text) as object)
      .filter(([, value]) => value !== null)
      .map(([key]) => key),
  );
  return [...new Set(keys)].sort();
}
