import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Column, listColumns } from '../columns.ts';
import {
  buildPartitionMetadata,
  formatPartitionFolder,
  makeDistinctFolder,
  PARTITION_COLUMNS,
  type PartitionFolder,
} from '../partition.ts';
import { checkSeries, type SeriesChunk } from '../series.ts';
import type { DatasetSummary, ParquetWriterOptions, ServerMetricsDatasetWriter } from './contract.ts';
import { PartFile } from './partFile.ts';
import { createParquetWriter, type FileWriter, WriteBuffers } from './writer.ts';
import { WriterState } from './writerState.ts';

/** Opens a dataset; see `openServerMetricsDataset`. The caller must have checked the options. */
export async function openDataset(
  folder: string,
  options: ParquetWriterOptions,
): Promise<ServerMetricsDatasetWriter> {
  await checkFolder(folder);
  const temporary = createTemporaryName(folder);
  await mkdir(temporary);
  return new DatasetWriter(folder, temporary, options);
}

function createTemporaryName(folder: string): string {
  return `${folder}.${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
}

/**
 * Checks that a folder contains only a dataset, so that no other files are removed. Returns whether the
 * folder exists.
 */
async function checkFolder(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const unrelated = names?.find(name => !name.startsWith(`${PARTITION_COLUMNS[0]}=`));
  if (unrelated === undefined) return names !== undefined;
  throw new RangeError(
    `cannot replace the folder ${folder}: it contains ${JSON.stringify(unrelated)}, which is not part of a dataset`,
  );
}

function listFileColumns({ labelColumns, layout }: ParquetWriterOptions): readonly Column[] {
  const inFolders: readonly string[] = PARTITION_COLUMNS;
  return listColumns(labelColumns, layout).filter(({ name }) => !inFolders.includes(name));
}

class DatasetWriter implements ServerMetricsDatasetWriter {
  rows = 0;
  readonly #folder: string;
  readonly #temporary: string;
  readonly #options: ParquetWriterOptions;
  readonly #buffers: WriteBuffers;
  /** Exact path and number of files of each partition. Keys are paths in lower case. */
  readonly #partitions = new Map<string, { readonly path: string; parts: number }>();
  readonly #shortened = new Set<string>();
  #part: { readonly endpoint: string; readonly metric: string; readonly writer: FileWriter } | undefined;
  #files = 0;
  #bytes = 0;
  readonly #state: WriterState;

  constructor(folder: string, temporary: string, options: ParquetWriterOptions) {
    this.#folder = folder;
    this.#state = new WriterState(folder);
    this.#temporary = temporary;
    this.#options = options;
    this.#buffers = new WriteBuffers(options, listFileColumns(options));
  }

  async appendSeries(chunk: SeriesChunk): Promise<void> {
    this.#state.assertOpen();
    checkSeries(chunk);
    // Throws for a label without a column, before a file is opened.
    const labels = this.#buffers.group.listLabelValues(chunk);
    const folders = [
      formatPartitionFolder('endpoint_url', chunk.endpointUrl),
      formatPartitionFolder('metric_name', chunk.metricName),
    ];
    await this.#state.runExclusively(async () => {
      const writer = await this.#openPart(chunk, folders);
      await writer.appendLabelled(chunk, labels);
      this.rows += chunk.timestampsNs.length * (chunk.histogram?.bounds.length ?? 1);
    });
  }

  async close(): Promise<DatasetSummary> {
    this.#state.assertOpen();
    await this.#state.runExclusively(async () => {
      await this.#closePart();
      await this.#replaceFolder();
    }, 'closed');
    return { rows: this.rows, files: this.#files, bytes: this.#bytes, shortened: [...this.#shortened] };
  }

  async abort(): Promise<void> {
    if (!this.#state.abort()) return;
    await this.#part?.writer.abort();
    await rm(this.#temporary, { recursive: true, force: true });
  }

  /** Returns the open file if the chunk belongs to it, and otherwise opens a new file. */
  async #openPart(chunk: SeriesChunk, folders: readonly PartitionFolder[]): Promise<FileWriter> {
    const { endpointUrl: endpoint, metricName: metric } = chunk;
    if (this.#part?.endpoint === endpoint && this.#part.metric === metric) return this.#part.writer;
    await this.#closePart();
    if (folders[0]!.shortened) this.#shortened.add(endpoint);
    if (folders[1]!.shortened) this.#shortened.add(metric);
    const metadata = [
      ...this.#options.metadata,
      ...buildPartitionMetadata({ endpoint_url: endpoint, metric_name: metric }),
    ];
    const path = await this.#createPath(folders);
    const file = await PartFile.open(path);
    const writer = createParquetWriter(path, file, { ...this.#options, metadata }, this.#buffers);
    this.#part = { endpoint, metric, writer };
    return writer;
  }

  async #createPath(folders: readonly PartitionFolder[]): Promise<string> {
    let partition = this.#findPartition(folders);
    // On case-insensitive file systems, two metrics must not share a folder.
    partition ??= this.#findPartition(folders.map(makeDistinctFolder));
    if (!partition)
      throw new Error(`BUG: two partitions are called ${folders.map(folder => folder.name).join('/')}`);
    if (partition.parts === 0) await mkdir(join(this.#temporary, partition.path), { recursive: true });
    return join(this.#temporary, partition.path, `part-${partition.parts++}.parquet`);
  }

  #findPartition(folders: readonly PartitionFolder[]): { readonly path: string; parts: number } | undefined {
    const path = join(...folders.map(({ name }) => name));
    const existing = this.#partitions.get(path.toLowerCase());
    if (existing) return existing.path === path ? existing : undefined;
    const partition = { path, parts: 0 };
    this.#partitions.set(path.toLowerCase(), partition);
    return partition;
  }

  async #closePart(): Promise<void> {
    if (!this.#part) return;
    const { bytes } = await this.#part.writer.close();
    this.#part = undefined;
    this.#files++;
    this.#bytes += bytes;
  }

  /**
   * Replaces the folder. A non-empty folder cannot be replaced in one step: it is renamed first, and restored
   * on failure.
   */
  async #replaceFolder(): Promise<void> {
    if (!(await checkFolder(this.#folder))) return await rename(this.#temporary, this.#folder);
    const old = createTemporaryName(this.#folder);
    await rename(this.#folder, old);
    try {
      await rename(this.#temporary, this.#folder);
    } catch (error) {
      await rename(old, this.#folder);
      throw error;
    }
    await rm(old, { recursive: true, force: true });
  }
}
