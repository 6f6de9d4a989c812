import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { openDuckDB } from '../../packages/formats/test/parquet/support/duckdb.ts';
import { runServelens } from '../servelens.ts';
import { runPython } from './python.ts';
import { findCodeBlocks, readSharedDocument } from './sharedDocuments.ts';

const runs = inject('runs');
const query = openDuckDB();
const FILE = 'server_metrics_export.parquet';

/**
 * Parquet engines of pandas, which Debian does not package. .ci/run installs them from PyPI if it is
 * reachable.
 */
const ENGINES = ['pyarrow', 'fastparquet'] as const;
const PYTHON = process.env.SERVELENS_PYTHON ?? '/usr/bin/python3';

function canImport(engine: string): boolean {
  const isImportable = spawnSync(PYTHON, ['-c', `import pandas, ${engine}`]).status === 0;
  if (!isImportable && runs)
    console.warn(`skipped: ${PYTHON} has no pandas with ${engine}; set SERVELENS_PYTHON to another Python`);
  return isImportable;
}

/** Python code that prints properties of the dataframe `df`, which DuckDB can compute, too. */
const PRINT_PROPERTIES = `
import json
df = df.astype({name: str for name in ("endpoint_url", "metric_name")})
print(json.dumps({
    "columns": len(df.columns),
    "rows": len(df),
    "metrics": sorted(df["metric_name"].unique()),
    "labeled": int(df["model_name"].notna().sum()),
    "values": int(df["value"].notna().sum()),
    "value": df["value"].sum(),
    "buckets": df["bucket_count"].sum(),
    "first": str(df["timestamp_ns"].min()),
}))`;

async function queryProperties(): Promise<unknown> {
  const from = `FROM '${join(runs!.vllm, FILE)}'`;
  const [row] = await query(`SELECT count(*)::INT AS rows, list_sort(list(DISTINCT metric_name)) AS metrics,
    count(model_name)::INT AS labeled, count(value)::INT AS "values", sum(value) AS value,
    sum(bucket_count) AS buckets, min(timestamp_ns)::VARCHAR AS first ${from}`);
  const columns = (await query(`DESCRIBE SELECT * ${from}`)).length;
  const { items } = row!.metrics as { readonly items: readonly string[] };
  return {
    ...row,
    columns,
    metrics: items,
    value: expectClose(row!.value),
    buckets: expectClose(row!.buckets),
  };
}

function expectClose(value: unknown): unknown {
  return expect.toSatisfy(
    (actual: number) => Math.abs(actual - Number(value)) <= 1e-9 * Math.abs(Number(value)),
  );
}

describe.skipIf(!runs).each(ENGINES.map(engine => ({ engine, isInstalled: canImport(engine) })))(
  'pandas with $engine',
  ({ engine, isInstalled }) => {
    const imports = `import pandas as pd\npd.options.io.parquet.engine = "${engine}"\n`;

    test.skipIf(!isInstalled)('reads the export like DuckDB', async () => {
      const program = `${imports}df = pd.read_parquet("${FILE}")${PRINT_PROPERTIES}`;
      expect(await runPython(['-c', program], runs!.vllm, PYTHON)).toEqual(await queryProperties());
    });

    const example = findCodeBlocks(readSharedDocument('000') ?? '', 'python').find(block =>
      block.includes('hist.pivot'),
    );
    test.skipIf(!isInstalled || !example)("runs the pandas example of AIPerf's Parquet schema", async () => {
      // The plot is removed, because it needs another library.
      const program = `${imports}${example!.replace(/^kv_usage\.plot.*$/m, '')}
import json
print(json.dumps([len(gauges), len(kv_usage), list(pivot.columns)]))`;
      const [gauges, usage, bounds] = (await runPython(['-c', program], runs!.vllm, PYTHON)) as [
        number,
        number,
        string[],
      ];
      expect(gauges).toBeGreaterThan(usage);
      expect(usage).toBeGreaterThan(0);
      expect(bounds).toContain('+Inf');
    });
  },
);

describe.skipIf(!runs)('a partitioned dataset', () => {
  test('is valid and contains the rows of the single file, read with DuckDB and with pandas and pyarrow', async () => {
    const dataset = await exportPartitioned();
    const { code, stdout } = await runServelens(['validate', '--strict', dataset]);
    expect(code, stdout).toBe(0);
    const file = `'${join(dataset, '..', FILE)}'`;
    const names = (await query(`DESCRIBE SELECT * FROM ${file}`)).map(row => `"${row.column_name}"`);
    const columns = names.join(', ');
    const parts = `read_parquet('${dataset}/*/*/*.parquet', hive_partitioning = true)`;
    await query(`CREATE TABLE file AS SELECT ${columns} FROM ${file}`);
    await query(`CREATE TABLE parts AS SELECT ${columns} FROM ${parts}`);
    const [{ rows }] = (await query('SELECT count(*)::INT AS rows FROM file')) as [{ rows: number }];
    expect(rows).toBeGreaterThan(1000);
    expect(await query('SELECT * FROM file EXCEPT ALL SELECT * FROM parts')).toEqual([]);
    expect(await query('SELECT * FROM parts EXCEPT ALL SELECT * FROM file')).toEqual([]);
    if (!canImport('pyarrow')) return;
    const program = `
import json, pandas as pd
a = pd.read_parquet("${dataset}")
b = pd.read_parquet("${join(dataset, '..', FILE)}")
names = list(b.columns)
a = a[names].astype({name: str for name in names[:2]}).sort_values(names).reset_index(drop=True)
b = b.astype({name: str for name in names[:2]}).sort_values(names).reset_index(drop=True)
pd.testing.assert_frame_equal(a, b)
print(json.dumps(len(a)))`;
    expect(await runPython(['-c', program], runs!.vllm, PYTHON)).toBe(rows);
  });

  /**
   * Collects a partitioned dataset from Prometheus and the node exporter, whose metrics have many labels.
   * Returns its folder.
   */
  async function exportPartitioned(): Promise<string> {
    const folder = join(runs!.vllm, 'partitioned');
    const endpointArgs = ['--server-metrics', runs!.prometheus, runs!.nodeExporter];
    const { code, stderr } = await runServelens([
      'collect',
      ...endpointArgs,
      '--duration',
      '2',
      '--parquet-partition',
      '--artifact-dir',
      folder,
    ]);
    expect(code, stderr).toBe(0);
    const dataset = join(folder, 'server_metrics_export');
    expect(readdirSync(dataset)).toHaveLength(2);
    return dataset;
  }
});
