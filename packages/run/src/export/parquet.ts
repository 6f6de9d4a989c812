import { hostname } from 'node:os';
import {
  buildParquetMetadata,
  openServerMetricsDataset,
  openServerMetricsParquet,
  type ParquetWriterOptions,
  planLabelColumns,
} from '@org/formats/parquet';
import type { JsonOptions } from '@org/formats/write';
import { getDefinitions } from '@org/record';
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

export interface ParquetOptions {
  /** Layout of the files. */
  readonly layout: NonNullable<JsonOptions['layout']>;
  readonly losses: ParquetLosses;
}

/** Writes the Parquet file. Returns its size in bytes. */
export async function writeParquetFile(
  path: string,
  view: ExportView,
  options: ParquetOptions,
  progress: ProgressReporter = new ProgressReporter(),
): Promise<number> {
  const writer = await openServerMetricsParquet(path, createWriterOptions(view, options));
  const references = new ReferenceCollector();
  try {
    const chunks = progress.count(generateParquetSeries(view, references));
    for await (const series of progress.pauseBetween(chunks)) await writer.appendSeries(series);
    const { summary, record } = view;
    const metadata =
      options.layout === 'aiperf'
        ? []
        : [references.toMetadata(summary, getDefinitions(record.servelensConfig))];
    return (await writer.close(metadata)).bytes;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Writes the partitioned dataset. Returns the size of its files in bytes. */
export async function writeParquetDataset(
  path: string,
  view: ExportView,
  options: ParquetOptions,
  progress: ProgressReporter = new ProgressReporter(),
): Promise<number> {
  const writer = await openServerMetricsDataset(path, createWriterOptions(view, options));
  try {
    const chunks = progress.count(generateParquetSeries(view));
    for await (const series of progress.pauseBetween(chunks)) await writer.appendSeries(series);
    const summary = await writer.close();
    options.losses.shortenedNames.push(...summary.shortened);
    return summary.bytes;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Plans the columns and creates the metadata. Labels that cannot be columns are added to the losses. */
function createWriterOptions(view: ExportView, { layout, losses }: ParquetOptions): ParquetWriterOptions {
  const { labelNames, ...facts } = describeParquetExport(view);
  const { columns, excluded } = planLabelColumns(labelNames);
  for (const label of excluded) losses.excludedLabels.add(label);
  const metadata = buildParquetMetadata({
    ...facts,
    layout,
    exportTime: new Date(),
    labelColumns: columns,
    hostname: hostname(),
  });
  return { labelColumns: columns, layout, metadata };
}
