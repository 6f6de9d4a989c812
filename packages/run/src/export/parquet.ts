import { availableParallelism, hostname } from 'node:os';
import {
  buildParquetMetadata,
  openServerMetricsDataset,
  openServerMetricsParquet,
  type ParquetWriterOptions,
  planLabelColumns,
  planTargetColumns,
  type ServerMetricsParquetWriter,
  TARGET_COLUMNS_KEY,
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
  const { targetColumns, ...writerOptions } = planColumns(view, options);
  const writer = await openWriter(path, writerOptions, view);
  const references = new ReferenceCollector();
  try {
    const chunks = progress.count(generateParquetSeries(view, references, targetColumns));
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

/** Minimum number of samples, counting a histogram as one, for which a thread is worth its start. */
const MIN_THREAD_SAMPLES = 250_000;

/** Opens a writer. The rows of large runs are encoded in a thread. */
async function openWriter(
  path: string,
  options: ParquetWriterOptions,
  { metrics }: ExportView,
): Promise<ServerMetricsParquetWriter> {
  const samples = metrics.reduce(
    (sum, { series }) =>
      series.reduce((total, { endpoint }) => total + endpoint.record.store.frameCount, sum),
    0,
  );
  if (samples < MIN_THREAD_SAMPLES || availableParallelism() < 2)
    return await openServerMetricsParquet(path, options);
  const { ThreadWriter } = await import('./parquetThread/threadWriter.ts');
  return await ThreadWriter.open(path, options);
}

/** Writes the partitioned dataset. Returns the size of its files in bytes. */
export async function writeParquetDataset(
  path: string,
  view: ExportView,
  options: ParquetOptions,
  progress: ProgressReporter = new ProgressReporter(),
): Promise<number> {
  const { targetColumns, ...writerOptions } = planColumns(view, options);
  const writer = await openServerMetricsDataset(path, writerOptions);
  try {
    const chunks = progress.count(generateParquetSeries(view, undefined, targetColumns));
    for await (const series of progress.pauseBetween(chunks)) await writer.appendSeries(series);
    const summary = await writer.close();
    options.losses.shortenedNames.push(...summary.shortened);
    return summary.bytes;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** The columns of a Parquet export. */
interface PlannedColumns extends ParquetWriterOptions {
  /** The column of each label of the targets, by label. AIPerf's layout has none. */
  readonly targetColumns: ReadonlyMap<string, string>;
}

/** Plans the columns and creates the metadata. Labels that cannot be columns are added to the losses. */
function planColumns(view: ExportView, { layout, losses }: ParquetOptions): PlannedColumns {
  const { labelNames, targetLabelNames, ...facts } = describeParquetExport(view);
  const targetColumns = planTargetColumns(layout === 'aiperf' ? [] : targetLabelNames, labelNames);
  const { columns, excluded } = planLabelColumns([...labelNames, ...targetColumns.values()]);
  for (const label of excluded) losses.excludedLabels.add(label);
  const metadata = buildParquetMetadata({
    ...facts,
    layout,
    exportTime: new Date(),
    labelColumns: columns,
    hostname: hostname(),
  });
  const targets = [...targetColumns.values()];
  const entries = targets.length === 0 ? [] : [[TARGET_COLUMNS_KEY, JSON.stringify(targets)] as const];
  return { labelColumns: columns, layout, metadata: [...metadata, ...entries], targetColumns };
}
