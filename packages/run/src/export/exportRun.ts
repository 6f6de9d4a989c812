import { hostname } from 'node:os';
import { PERCENTILE_METHODS, type PercentileMethod, slicesPerInterval } from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';
import {
  buildParquetMetadata,
  openServerMetricsDataset,
  openServerMetricsParquet,
  type ParquetWriterOptions,
  planLabelColumns,
  type SeriesChunk,
} from '@org/formats/parquet';
import {
  type Content,
  describeWriteError,
  type ServerMetricsStream,
  streamLegacyServerMetricsJson,
  streamServerMetricsCsv,
  streamServerMetricsJson,
  writeFileAtomic,
  writeServerMetricsLine,
} from '@org/formats/write';
import type { Layouts, RunRecord } from '@org/record';
import { datasetPath, type ExportFormat, exportPath, FORMATS } from '@org/record';
import {
  edgesIn,
  legacyServerMetricsStream,
  metricsOf,
  periodOf,
  References,
  seriesChunks,
  serverMetricsRecords,
  serverMetricsStream,
  summaryOf,
} from '@org/record/view';
import { batches } from './batches.ts';
import { Digest, digested } from './digest.ts';
import { keepHeapSmall } from './heapGrowth.ts';

export interface ExportOptions extends Layouts {
  readonly folder: string;
  readonly prefix?: string;
  readonly formats: readonly ExportFormat[];
  /** Whether to write the rows of the Parquet export as a partitioned dataset, too. */
  readonly parquetPartition?: boolean;
  readonly sliceSeconds?: number;
  readonly percentileMethod: PercentileMethod;
  /** Lines of JSONL that are written at a time; fewer when they are long. */
  readonly batchSize: number;
}

/** What became of one export. */
export interface ExportResult {
  readonly format: ExportFormat | 'partitioned parquet';
  /** A file, or the folder of the dataset. */
  readonly path: string;
  /** Size of the file or of all files; undefined when it was not written. */
  readonly bytes?: number;
  /** Why there is no file. */
  readonly failure?: string;
  /** True when the disk had no room for it. */
  readonly isDiskFull?: true;
}

/** The exports of a run and what they say; see `Digest` for what of a very large run is not in the document. */
export interface RunExports {
  readonly document: ServerMetricsDocument;
  readonly results: readonly ExportResult[];
  /** Labels without a column in the Parquet file, because their name is taken. */
  readonly excludedLabels: readonly string[];
  /** Metrics and endpoints whose names are too long for the folders of the dataset. */
  readonly shortenedNames: readonly string[];
  /** Summaries, which only the legacy layout of the JSON export has. */
  readonly skippedSummaries: readonly string[];
  /** Endpoints that update more slowly than a timeslice is long: there each sample interval became a slice. */
  readonly slicedByInterval: readonly string[];
}

/** Writes the exports of a run. One that cannot be written does not keep the others from being written. */
export async function exportRun(record: RunRecord, options: ExportOptions): Promise<RunExports> {
  keepHeapSmall();
  const estimator = PERCENTILE_METHODS[options.percentileMethod];
  const { sliceSeconds } = options;
  const stream = (): ServerMetricsStream =>
    serverMetricsStream(record, { estimator, ...(sliceSeconds === undefined ? {} : { sliceSeconds }) });
  // Statistics are computed while the JSON export is written; without it, or when it fails half-way, by themselves.
  const digest = new Digest(stream());
  let computed: ServerMetricsDocument | undefined;
  const document = (): ServerMetricsDocument => {
    computed ??= digest.document ?? digested(stream());
    return computed;
  };
  const excluded = new Set<string>();
  const shortened: string[] = [];
  const writers: Readonly<Record<ExportFormat, (path: string) => Promise<number>>> = {
    json: path =>
      writeText(
        path,
        options.jsonLayout === 'legacy'
          ? streamLegacyServerMetricsJson(legacyServerMetricsStream(record, { estimator }))
          : streamServerMetricsJson(digest.passing),
      ),
    csv: path =>
      writeText(path, streamServerMetricsCsv(document(), { layout: options.csvLayout ?? 'servelens' })),
    jsonl: path => writeText(path, batches(lines(record), options.batchSize)),
    parquet: path => writeParquet(path, record, excluded),
  };
  const results: ExportResult[] = [];
  for (const format of FORMATS.filter(one => options.formats.includes(one))) {
    const path = exportPath(options.folder, options.prefix, format);
    results.push({ format, path, ...(await attempt(path, () => writers[format](path))) });
  }
  if (options.parquetPartition) {
    const path = datasetPath(options.folder, options.prefix);
    const outcome = await attempt(path, () => writeDataset(path, record, excluded, shortened));
    results.push({ format: 'partitioned parquet', path, ...outcome });
  }
  return {
    document: document(),
    results,
    excludedLabels: [...excluded],
    shortenedNames: shortened,
    skippedSummaries: skippedSummaries(record, options),
    slicedByInterval: slicedByInterval(record, sliceSeconds),
  };
}

/** DESIGN decision 11: the quantiles of a summary are the server's own and cannot be cut to a run. */
function skippedSummaries(record: RunRecord, { jsonLayout, formats }: ExportOptions): string[] {
  if (jsonLayout === 'legacy' && formats.includes('json')) return [];
  return metricsOf(record)
    .filter(({ type }) => type === 'summary')
    .map(({ name }) => name);
}

/** DESIGN decision 3; whoever asked for such slices is told once. */
function slicedByInterval(record: RunRecord, sliceSeconds: number | undefined): string[] {
  if (sliceSeconds === undefined) return [];
  return record.endpoints
    .filter(({ store }) => store.frameCount > 0)
    .filter(endpoint => {
      const { store } = endpoint;
      const period = periodOf(store.timeline(), record.period, edgesIn(record, endpoint));
      return slicesPerInterval(store, period, sliceSeconds * 1e9);
    })
    .map(({ url }) => url);
}

async function attempt(
  path: string,
  write: () => Promise<number>,
): Promise<Omit<ExportResult, 'format' | 'path'>> {
  try {
    return { bytes: await write() };
  } catch (error) {
    const failed = describeWriteError(path, error);
    const failure = failed?.message ?? (error as Error).message;
    return failed?.reason === 'disk-full' ? { failure, isDiskFull: true } : { failure };
  }
}

async function writeText(path: string, content: Content): Promise<number> {
  const result = await writeFileAtomic(path, content);
  if (!result.ok) throw result.cause;
  return result.bytes;
}

function* lines(record: RunRecord): Generator<string> {
  for (const line of serverMetricsRecords(record)) yield writeServerMetricsLine(line);
}

async function writeParquet(path: string, record: RunRecord, excluded: Set<string>): Promise<number> {
  const writer = await openServerMetricsParquet(path, parquetOptions(record, excluded));
  const references = new References();
  try {
    for (const chunk of seriesChunks(record, references)) await writer.appendSeries(chunk);
    return (await writer.close([references.metadata(summaryOf(record))])).bytes;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

async function writeDataset(
  path: string,
  record: RunRecord,
  excluded: Set<string>,
  shortened: string[],
): Promise<number> {
  const writer = await openServerMetricsDataset(path, parquetOptions(record, excluded));
  try {
    for (const chunk of seriesChunks(record)) await writer.appendSeries(chunk);
    const summary = await writer.close();
    shortened.push(...summary.shortened);
    return summary.bytes;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

function parquetOptions(record: RunRecord, excluded: Set<string>): ParquetWriterOptions {
  const metrics = metricsOf(record).filter(metric => metric.type !== 'summary');
  const placed = metrics.flatMap(metric => metric.series);
  const labels = planLabelColumns(placed.flatMap(({ series }) => series.labels.map(([name]) => name)));
  for (const label of labels.excluded) excluded.add(label);
  const metadata = buildParquetMetadata({
    version: record.version,
    benchmarkId: record.benchmarkId,
    exportTime: new Date(),
    timeFilterStartNs: record.period.startNs,
    timeFilterEndNs: record.period.endNs,
    endpointUrls: record.endpoints.filter(({ store }) => store.frameCount > 0).map(({ url }) => url),
    labelColumns: labels.columns,
    metricTypeCounts: countTypes(metrics.map(({ type }) => type as SeriesChunk['metricType'])),
    modelNames: modelNames(record),
    inputConfig: record.inputConfig,
    hostname: hostname(),
  });
  return { labelColumns: labels.columns, metadata };
}

function countTypes(types: readonly SeriesChunk['metricType'][]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const type of types) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** The models that the servers named in their labels. */
function modelNames(record: RunRecord): string[] {
  const names = new Set<string>();
  for (const { store } of record.endpoints) {
    for (const { labels } of store.layout.series) {
      for (const [label, value] of labels) if (label === 'model_name' || label === 'model') names.add(value);
    }
  }
  return [...names].sort();
}
