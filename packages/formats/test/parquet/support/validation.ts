import { join } from 'node:path';
import { expect } from 'vitest';
import { RULE_SEVERITIES } from '../../../src/generated/ruleSeverities.ts';
import {
  buildParquetMetadata,
  type MetadataEntry,
  openServerMetricsParquet,
  type SeriesChunk,
  validateParquet,
} from '../../../src/parquet/index.ts';
import { buildHistogram, buildScalar, START_NS } from './chunks.ts';
import { openDuckDB } from './duckdb.ts';
import { createSharedFolder, listLabelColumns } from './files.ts';

export const folder = createSharedFolder();
/** Path of the export that `writeExport` and `changeExport` write. */
export const path = join(folder, 'x.parquet');
export const query = openDuckDB();

/** Counts the metrics of each type. */
function countTypes(chunks: readonly SeriesChunk[]): Record<string, number> {
  const types = new Map(chunks.map(chunk => [chunk.metricName, chunk.metricType]));
  const counts: Record<string, number> = {};
  for (const type of types.values()) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** Builds metadata that matches the columns and metrics of an export. */
const buildMetadata = (labelColumns: readonly string[], chunks: readonly SeriesChunk[]): MetadataEntry[] => [
  ...buildParquetMetadata({
    version: '1.2.3',
    benchmarkId: 'b',
    exportTime: new Date(0),
    timeFilterStartNs: START_NS,
    timeFilterEndNs: START_NS + 60_000_000_000n,
    endpointUrls: [...new Set(chunks.map(chunk => chunk.endpointUrl))],
    labelColumns,
    metricTypeCounts: countTypes(chunks),
    modelNames: [],
    inputConfig: {},
    hostname: 'h',
  }),
];

/** Writes an export with matching metadata, modified by `change`. */
export async function writeExport(
  chunks: readonly SeriesChunk[],
  change: (metadata: Map<string, string>) => void = () => {},
  rowGroupRows = 1000,
): Promise<void> {
  const labelColumns = listLabelColumns(chunks);
  const metadata = new Map(buildMetadata(labelColumns, chunks));
  change(metadata);
  const writer = await openServerMetricsParquet(path, {
    labelColumns,
    metadata: [...metadata],
    rowGroupRows,
  });
  for (const chunk of chunks) await writer.appendSeries(chunk);
  await writer.close();
}

export const gauge = buildScalar('g', 'gauge', [-1, 2], { labels: { engine: '0' } });
export const latency = buildHistogram(
  'h',
  ['0.5', '1', '+Inf'],
  [
    [0, 1, 2],
    [1, 2, 4],
  ],
  { labels: { engine: '0' } },
);

/**
 * Writes an export whose rows are changed in DuckDB. `replace` is the list of a `SELECT * REPLACE` clause.
 * DuckDB makes all columns optional.
 */
export async function changeExport(chunks: readonly SeriesChunk[], replace: string): Promise<void> {
  await writeExport(chunks);
  const metadata = buildMetadata(listLabelColumns(chunks), chunks)
    .map(([key, value]) => `"${key}": '${value.replaceAll("'", "''")}'`)
    .join(', ');
  const from = join(folder, 'from.parquet');
  await query(`COPY (FROM '${path}') TO '${from}' (format parquet)`);
  await query(
    `COPY (SELECT * REPLACE (${replace}) FROM '${from}') TO '${path}' (format parquet, kv_metadata {${metadata}})`,
  );
}

/** Validates the export at `path`. Returns the findings. */
export async function findProblems(): Promise<string[]> {
  const issues = await validateParquet(path);
  for (const issue of issues) expect(issue.severity).toBe(RULE_SEVERITIES[issue.rule]);
  return issues.map(issue => `${issue.rule} | ${issue.place} | ${issue.message}`);
}
