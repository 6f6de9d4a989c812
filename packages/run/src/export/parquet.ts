import { hostname } from 'node:os';
import {
  buildParquetMetadata,
  openServerMetricsDataset,
  openServerMetricsParquet,
  type ParquetWriterOptions,
  planLabelColumns,
  type SeriesChunk,
} from '@org/formats/parquet';
import type { RunRecord } from '@org/record';
import { type ExportView, generateParquetSeries, ReferenceCollector } from '@org/record/view';

/** Names that a Parquet export cannot represent, collected while it is written. */
export interface ParquetLosses {
  /** Labels without a column, because the column name is reserved. */
  readonly excludedLabels: Set<string>;
  /** Names of metrics and endpoints that are too long for the folder names of a dataset. */
  readonly shortenedNames: string[];
}

/** Writes the Parquet file. Returns its size in bytes. */
export async function writeParquetFile(
  path: string,
  view: ExportView,
  losses: ParquetLosses,
): Promise<number> {
  const writer = await openServerMetricsParquet(path, toWriterOptions(view, losses));
  const references = new ReferenceCollector();
  try {
    for (const series of generateParquetSeries(view, references)) await writer.appendSeries(series);
    return (await writer.close([references.toMetadata(view.summary)])).bytes;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Writes the partitioned dataset. Returns the size of its files in bytes. */
export async function writeParquetDataset(
  path: string,
  view: ExportView,
  losses: ParquetLosses,
): Promise<number> {
  const writer = await openServerMetricsDataset(path, toWriterOptions(view, losses));
  try {
    for (const series of generateParquetSeries(view)) await writer.appendSeries(series);
    const summary = await writer.close();
    losses.shortenedNames.push(...summary.shortened);
    return summary.bytes;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

function toWriterOptions({ record, metrics }: ExportView, losses: ParquetLosses): ParquetWriterOptions {
  const exported = metrics.filter(metric => metric.type !== 'summary');
  const labelNames = exported.flatMap(({ series }) =>
    series.flatMap(entry => entry.series.labels.map(([name]) => name)),
  );
  const labels = planLabelColumns(labelNames);
  for (const label of labels.excluded) losses.excludedLabels.add(label);
  const metadata = buildParquetMetadata({
    version: record.version,
    benchmarkId: record.benchmarkId,
    exportTime: new Date(),
    timeFilterStartNs: record.period.startNs,
    timeFilterEndNs: record.period.endNs,
    endpointUrls: record.endpoints.filter(({ store }) => store.frameCount > 0).map(({ url }) => url),
    labelColumns: labels.columns,
    metricTypeCounts: countByType(exported.map(({ type }) => type as SeriesChunk['metricType'])),
    modelNames: findModelNames(record),
    inputConfig: record.inputConfig,
    hostname: hostname(),
  });
  return { labelColumns: labels.columns, metadata };
}

function countByType(types: readonly SeriesChunk['metricType'][]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const type of types) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** The model names that servers report in their labels. */
function findModelNames(record: RunRecord): string[] {
  const names = new Set<string>();
  for (const { store } of record.endpoints) {
    for (const { labels } of store.layout.series) {
      for (const [label, value] of labels) if (label === 'model_name' || label === 'model') names.add(value);
    }
  }
  return [...names].sort();
}
