import { hostname } from 'node:os';
import {
  buildParquetMetadata,
  openServerMetricsDataset,
  openServerMetricsParquet,
  type ParquetWriterOptions,
  planLabelColumns,
} from '@org/formats/parquet';
import {
  describeParquetExport,
  type ExportView,
  generateParquetSeries,
  ReferenceCollector,
} from '@org/record/view';
import { ProgressReporter } from './exportProgress.ts';

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
  progress: ProgressReporter = new ProgressReporter(),
): Promise<number> {
  const writer = await openServerMetricsParquet(path, createWriterOptions(view, losses));
  const references = new ReferenceCollector();
  try {
    const chunks = progress.count(generateParquetSeries(view, references));
    for await (const series of progress.pauseBetween(chunks)) await writer.appendSeries(series);
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
  progress: ProgressReporter = new ProgressReporter(),
): Promise<number> {
  const writer = await openServerMetricsDataset(path, createWriterOptions(view, losses));
  try {
    const chunks = progress.count(generateParquetSeries(view));
    for await (const series of progress.pauseBetween(chunks)) await writer.appendSeries(series);
    const summary = await writer.close();
    losses.shortenedNames.push(...summary.shortened);
    return summary.bytes;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Plans the columns and creates the metadata. Labels that cannot be columns are added to the losses. */
function createWriterOptions(view: ExportView, losses: ParquetLosses): ParquetWriterOptions {
  const { labelNames, ...facts } = describeParquetExport(view);
  const { columns, excluded } = planLabelColumns(labelNames);
  for (const label of excluded) losses.excludedLabels.add(label);
  const metadata = buildParquetMetadata({
    ...facts,
    exportTime: new Date(),
    labelColumns: columns,
    hostname: hostname(),
  });
  return { labelColumns: columns, metadata };
}
