import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describePeer } from '../support/peer.ts';
import { runScript } from '../support/python.ts';
import { servelens } from '../support/servelens.ts';
import { MODEL, withSimulator } from '../support/simulator.ts';
import { countRows, listColumns, listTables, queryParquet, type Tables } from '../support/tables.ts';

const ARGS = [
  ...['--model', MODEL, '--streaming', '--isl', '100', '--osl', '10', '--slice-duration', '1'],
  ...['--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet'],
];

/** Options of the runs, by name of their folder. Together they write every kind of file. */
const RUNS: Readonly<Record<string, readonly string[]>> = {
  run: [
    ...['--concurrency', '4', '--request-count', '20', '--warmup-request-count', '4'],
    ...['--export-level', 'raw', '--export-outputs-json'],
  ],
  sweep: ['--concurrency', '1,2', '--request-count', '6', '--num-profile-runs', '2'],
};

describePeer('spark', 'Spark reads a folder of Servelens', peer => {
  describe.each(['servelens', 'aiperf-0.13'])('--compat %s', compat => {
    const folder = mkdtempSync(join(tmpdir(), 'spark-'));
    let tables: Tables;
    afterAll(() => rmSync(folder, { recursive: true }));

    beforeAll(async () => {
      await withSimulator(['--seed', '5'], async url => {
        for (const [name, args] of Object.entries(RUNS)) {
          const target = ['--url', url, '--artifact-dir', join(folder, name), '--compat', compat];
          await servelens('profile', ...ARGS, ...args, ...target);
        }
      });
      const script = join(import.meta.dirname, 'read_tables.py');
      tables = (await runScript(peer, script, [folder], { SPARK_LOCAL_IP: '127.0.0.1' })) as Tables;
    });

    test('reads every file', () => {
      expect(Object.keys(tables).sort()).toEqual(listTables(folder));
    });

    test('every table has all rows', async () => {
      for (const [file, { spark }] of Object.entries(tables))
        expect(
          spark!.map(({ rows }) => rows),
          file,
        ).toEqual(await countRows(folder, file));
    });

    test('every JSON and JSONL file has all columns', () => {
      for (const [file, { spark }] of Object.entries(tables))
        if (/\.jsonl?$/.test(file))
          expect(Object.keys(spark![0]!.columns).sort(), file).toEqual(listColumns(folder, file, hasFields));
    });

    test('Parquet files have the sums that DuckDB reads', async () => {
      const files = Object.keys(tables).filter(file => file.endsWith('.parquet'));
      expect(files.length).toBeGreaterThan(1);
      for (const file of files) {
        const { rows: _, ...sums } = await queryParquet(join(folder, file));
        for (const [name, sum] of Object.entries(sums))
          expect(tables[file]!.spark![0]!.columns[name]!.sum! / sum, `${file}, ${name}`).toBeCloseTo(1, 9);
      }
    });
  });
});

/** Reports whether Spark reads a value: it omits empty objects, which have no type. */
function hasFields(value: unknown): boolean {
  if (value === null) return false;
  return typeof value !== 'object' || Array.isArray(value) || Object.keys(value).length > 0;
}
