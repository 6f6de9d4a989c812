import { setFlagsFromString } from 'node:v8';
import { PERCENTILE_METHODS, type PercentileMethod } from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';
import {
  type Content,
  describeWriteError,
  type JsonOptions,
  type MetricStream,
  type ServerMetricsStream,
  streamLegacyServerMetricsJson,
  streamServerMetricsCsv,
  streamServerMetricsJson,
  writeFileAtomic,
  writeServerMetricsLine,
} from '@org/formats/write';
import {
  type Compatibility,
  type ExportFormat,
  FORMATS,
  getDatasetPath,
  getExportPath,
  type JsonLayout,
  type RunRecord,
  type StatisticsWindow,
} from '@org/record';
import { getServers } from '@org/record/servers';
import {
  createExportView,
  type ExportView,
  generateServerMetricsRecords,
  listEndpointsSlicedByInterval,
  listSummaryMetrics,
  streamLegacyServerMetrics,
  streamServerMetrics,
} from '@org/record/view';
import { DEFAULT_SETTINGS } from '../plan/runPlan.ts';
import { addMeaning, hasAdditions } from './additions.ts';
import { collectDigest, type DeriveMetrics, Digest } from './digest.ts';
import { type ExportKind, type ExportProgress, ProgressReporter } from './exportProgress.ts';
import { getFileLayout } from './fileLayout.ts';
import { isOutOfSpace } from './outOfSpace.ts';
import { type ParquetLosses, type ParquetOptions, writeParquetDataset, writeParquetFile } from './parquet.ts';

export interface ExportOptions {
  readonly folder: string;
  readonly prefix?: string;
  readonly formats: readonly ExportFormat[];
  /** The program whose files are written; `servelens` by default. */
  readonly compatibility?: Compatibility;
  readonly jsonLayout?: JsonLayout;
  /** True to also write the rows of the Parquet export as a partitioned dataset. */
  readonly parquetPartition?: boolean;
  readonly sliceSeconds?: number;
  /** The window that statistics cover; the period of the record by default. */
  readonly window?: StatisticsWindow;
  readonly percentileMethod: PercentileMethod;
  /** Maximum number of JSONL lines per write; 100 by default. */
  readonly batchSize?: number;
  /** Receives the progress of each export. */
  readonly onProgress?: (progress: ExportProgress) => void;
}

/** The outcome of writing one export. */
export interface ExportResult {
  readonly format: ExportKind;
  /** Path of the file, or of the folder of the dataset. */
  readonly path: string;
  /** Size of the file, or of all files of the dataset; undefined if writing failed. */
  readonly bytes?: number;
  /** The reason why writing failed; undefined if it succeeded. */
  readonly failure?: string;
  /** True if writing failed because the disk is full. */
  readonly isDiskFull?: true;
}

/** The exports of a run. For a very large run, `document` lacks some timeslices; see `Digest`. */
export interface RunExports {
  readonly document: ServerMetricsDocument;
  readonly results: readonly ExportResult[];
  /** Labels without a column in the Parquet file, because the column name is reserved. */
  readonly excludedLabels: readonly string[];
  /** Names of metrics and endpoints that are too long for the folder names of the dataset. */
  readonly shortenedNames: readonly string[];
  /** Names of summary metrics that were not exported: only the legacy JSON layout includes them. */
  readonly skippedSummaries: readonly string[];
  /** URLs of endpoints that update less often than once per timeslice. For these, each sample interval is a slice. */
  readonly slicedByInterval: readonly string[];
}

/** Writes the exports of a run. If one fails, the others are still written. */
export async function exportRun(record: RunRecord, options: ExportOptions): Promise<RunExports> {
  limitHeapGrowth();
  const { window } = options;
  const view = createExportView(record, window === undefined ? {} : { window });
  if (!hasAdditions(view, options)) return new Exporter(view, options, undefined).write();
  const { view: completeView, derive } = await addMeaning(view);
  return new Exporter(completeView, options, derive).write();
}

class Exporter {
  readonly #view: ExportView;
  readonly #options: ExportOptions;
  readonly #progress: ProgressReporter;
  readonly #digest: Digest;
  readonly #losses: ParquetLosses = { excludedLabels: new Set(), shortenedNames: [] };
  #document: ServerMetricsDocument | undefined;

  constructor(view: ExportView, options: ExportOptions, derive: DeriveMetrics | undefined) {
    this.#view = view;
    this.#options = options;
    this.#progress = new ProgressReporter(options.onProgress);
    this.#digest = new Digest(this.#createStream(), getServers(view.record), derive);
  }

  get #layout(): NonNullable<JsonOptions['layout']> {
    return getFileLayout(this.#options.compatibility);
  }

  async write(): Promise<RunExports> {
    const { jsonLayout, formats, sliceSeconds } = this.#options;
    const results = await this.#writeAll();
    const hasSummaries = jsonLayout === 'legacy' && formats.includes('json');
    return {
      document: await this.#getStatistics(),
      results,
      excludedLabels: [...this.#losses.excludedLabels],
      shortenedNames: this.#losses.shortenedNames,
      skippedSummaries: hasSummaries ? [] : listSummaryMetrics(this.#view),
      slicedByInterval: listEndpointsSlicedByInterval(this.#view, sliceSeconds),
    };
  }

  get #parquetOptions(): ParquetOptions {
    return { layout: this.#layout, losses: this.#losses };
  }

  async #writeAll(): Promise<ExportResult[]> {
    const { folder, prefix, formats, parquetPartition } = this.#options;
    const results: ExportResult[] = [];
    for (const format of FORMATS.filter(name => formats.includes(name))) {
      const path = getExportPath(folder, prefix, format);
      results.push({ format, path, ...(await attemptWrite(path, () => this.#writeFormat(format, path))) });
    }
    if (parquetPartition) {
      const path = getDatasetPath(folder, prefix);
      this.#progress.start('partitioned parquet', this.#countSeries());
      const outcome = await attemptWrite(path, () =>
        writeParquetDataset(path, this.#view, this.#parquetOptions, this.#progress),
      );
      results.push({ format: 'partitioned parquet', path, ...outcome });
    }
    return results;
  }

  async #writeFormat(format: ExportFormat, path: string): Promise<number> {
    this.#progress.start(format, this.#countItems(format));
    switch (format) {
      case 'json':
        return this.#writeText(path, this.#streamJson());
      case 'csv': {
        const options = { layout: this.#layout };
        return this.#writeText(path, streamServerMetricsCsv(await this.#getStatistics(), options));
      }
      case 'jsonl': {
        const lines = this.#progress.count(generateLines(this.#view, this.#layout !== 'aiperf'));
        return this.#writeText(
          path,
          batchLines(lines, this.#options.batchSize ?? DEFAULT_SETTINGS.batchSize),
        );
      }
      case 'parquet':
        return writeParquetFile(path, this.#view, this.#parquetOptions, this.#progress);
    }
  }

  #writeText(path: string, content: Iterable<string>): Promise<number> {
    return writeText(path, this.#progress.pauseBetween(content));
  }

  /** Returns the number of items that are counted while an export is written; 0 if none are counted. */
  #countItems(format: ExportFormat): number {
    if (format === 'jsonl')
      return this.#view.record.endpoints.reduce((sum, { store }) => sum + store.frameCount, 0);
    if (format === 'parquet' || (format === 'json' && this.#options.jsonLayout !== 'legacy'))
      return this.#countSeries();
    return 0;
  }

  #countSeries(): number {
    return this.#view.metrics.reduce((sum, { series }) => sum + series.length, 0);
  }

  #streamJson(): Iterable<string> {
    if (this.#options.jsonLayout !== 'legacy')
      return streamServerMetricsJson(this.#digest.passthrough, { layout: this.#layout });
    const estimator = PERCENTILE_METHODS[this.#options.percentileMethod];
    return streamLegacyServerMetricsJson(streamLegacyServerMetrics(this.#view, { estimator }));
  }

  /**
   * Returns the statistics collected while the JSON export was written. Without a JSON export, or if it
   * failed, computes them.
   */
  async #getStatistics(): Promise<ServerMetricsDocument> {
    this.#document ??=
      this.#digest.document ??
      (await collectDigest(this.#createStream(), getServers(this.#view.record), this.#progress));
    return this.#document;
  }

  #createStream(): ServerMetricsStream {
    const { percentileMethod, sliceSeconds } = this.#options;
    const stream = streamServerMetrics(this.#view, {
      estimator: PERCENTILE_METHODS[percentileMethod],
      ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    });
    return { ...stream, metrics: this.#countMetrics(stream.metrics) };
  }

  *#countMetrics(metrics: ServerMetricsStream['metrics']): Generator<readonly [string, MetricStream]> {
    for (const [name, metric] of metrics)
      yield [name, { ...metric, series: this.#progress.count(metric.series) }];
  }
}

/** Writes an export. Returns its size, or the reason why writing failed. */
async function attemptWrite(
  path: string,
  write: () => Promise<number>,
): Promise<Omit<ExportResult, 'format' | 'path'>> {
  try {
    return { bytes: await write() };
  } catch (error) {
    const writeError = describeWriteError(path, error);
    const failure = writeError?.message ?? (error as Error).message;
    return writeError && isOutOfSpace(writeError) ? { failure, isDiskFull: true } : { failure };
  }
}

async function writeText(path: string, content: Content): Promise<number> {
  const result = await writeFileAtomic(path, content);
  if (!result.ok) throw result.cause;
  return result.bytes;
}

function* generateLines(view: ExportView, hasTargetLabels: boolean): Generator<string> {
  for (const record of generateServerMetricsRecords(view, { hasTargetLabels }))
    yield writeServerMetricsLine(record);
}

/**
 * Maximum length of a batch in characters, regardless of its number of lines. V8 limits a string to about 500
 * million characters.
 */
const MAX_BATCH_LENGTH = 8_000_000;

/** Joins lines, with a newline after each, into texts of up to `maxLines` lines. */
export function* batchLines(lines: Iterable<string>, maxLines: number): Generator<string> {
  let batch: string[] = [];
  let length = 0;
  for (const line of lines) {
    batch.push(line, '\n');
    length += line.length + 1;
    if (batch.length < 2 * maxLines && length < MAX_BATCH_LENGTH) continue;
    yield batch.join('');
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch.join('');
}

/** Maximum growth of the heap between two garbage collections, in percent of the live data. */
const GROWTH_PERCENT = 40;

/**
 * Makes V8 collect garbage more often while exports are written. By default, V8 lets the heap grow to four
 * times the live data. With this limit, the exports of a run with 100,000 series need 0.5 GB instead of 1.5
 * GB and take 10% more time.
 *
 * The young generation returns to its default growth, because exports allocate many short-lived objects. This
 * limit is not used while scraping: live data grows slowly then, and the whole heap would be scanned several
 * times a second.
 *
 * Unknown flags have no effect.
 */
function limitHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
