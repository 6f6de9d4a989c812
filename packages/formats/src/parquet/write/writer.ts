import { ByteSink } from '../bytes.ts';
import { type Column, listColumns } from '../columns.ts';
import type { MetadataEntry } from '../metadata.ts';
import { checkSeries, countRows, type SeriesChunk } from '../series.ts';
import { ColumnChunkEncoder } from './columnChunk.ts';
import type { ParquetSummary, ParquetWriterOptions, ServerMetricsParquetWriter } from './contract.ts';
import { encodeFooter, MAGIC } from './footer.ts';
import type { OutputFile } from './partFile.ts';
import { RowGroupBuffer } from './rowGroup.ts';
import type { parquet } from './thrift.ts';
import { WriterState } from './writerState.ts';

const DEFAULT_ROW_GROUP_ROWS = 1 << 20;

/** Buffers for writing a file, shared by files that are written in sequence. */
export class WriteBuffers {
  readonly columns: readonly Column[];
  readonly group: RowGroupBuffer;
  readonly out: ByteSink = new ByteSink(1 << 16);
  readonly encoder: ColumnChunkEncoder = new ColumnChunkEncoder();

  /** @param columns the columns of the files; files of a dataset omit the partition columns */
  constructor(
    { labelColumns, layout }: Pick<ParquetWriterOptions, 'labelColumns' | 'layout'>,
    columns: readonly Column[] = listColumns(labelColumns, layout),
  ) {
    this.columns = columns;
    this.group = new RowGroupBuffer(labelColumns, columns);
  }
}

/** Creates a writer for an open file. The caller must have checked the options with `checkOptions`. */
export function createParquetWriter(
  path: string,
  file: OutputFile,
  options: ParquetWriterOptions,
  buffers: WriteBuffers,
): FileWriter {
  return new FileWriter(path, file, options, buffers);
}

/** Writes the rows of one file. */
export class FileWriter implements ServerMetricsParquetWriter {
  rows = 0;
  readonly #file: OutputFile;
  readonly #options: ParquetWriterOptions;
  readonly #columns: readonly Column[];
  readonly #rowGroupRows: number;
  readonly #group: RowGroupBuffer;
  readonly #rowGroups: parquet.RowGroup[] = [];
  readonly #out: ByteSink;
  readonly #encoder: ColumnChunkEncoder;
  /** Number of bytes written to the file. */
  #offset = 0;
  readonly #state: WriterState;

  constructor(path: string, file: OutputFile, options: ParquetWriterOptions, buffers: WriteBuffers) {
    this.#state = new WriterState(path);
    this.#file = file;
    this.#options = options;
    this.#columns = buffers.columns;
    this.#rowGroupRows = options.rowGroupRows ?? DEFAULT_ROW_GROUP_ROWS;
    this.#group = buffers.group;
    this.#encoder = buffers.encoder;
    this.#out = buffers.out;
    this.#group.clear();
    this.#out.clear();
    this.#out.append(Buffer.from(MAGIC, 'latin1'));
  }

  async appendSeries(chunk: SeriesChunk): Promise<void> {
    this.#state.assertOpen();
    checkSeries(chunk);
    await this.appendLabelled(chunk, this.#group.listLabelValues(chunk));
  }

  /** Appends the rows of a checked chunk, whose label values are in the order of the label columns. */
  async appendLabelled(chunk: SeriesChunk, labels: readonly (string | null)[]): Promise<void> {
    this.#state.assertOpen();
    await this.#state.runExclusively(() => this.#appendRows(chunk, labels));
  }

  async close(extraMetadata: readonly MetadataEntry[] = []): Promise<ParquetSummary> {
    this.#state.assertOpen();
    await this.#state.runExclusively(async () => {
      await this.#flushRowGroup();
      this.#out.append(this.#encodeFooter(extraMetadata));
      await this.#writeOutput();
      await this.#file.commit();
    }, 'closed');
    return { rows: this.rows, rowGroups: this.#rowGroups.length, bytes: this.#offset };
  }

  async abort(): Promise<void> {
    if (!this.#state.abort()) return;
    await this.#file.abort();
  }

  async #appendRows(chunk: SeriesChunk, labels: readonly (string | null)[]): Promise<void> {
    const group = this.#group;
    const perTimestamp = chunk.histogram ? chunk.histogram.bounds.length : 1;
    const timestamps = chunk.timestampsNs.length;
    this.rows += countRows(chunk);
    if (group.endsBefore(chunk, this.#rowGroupRows)) await this.#flushRowGroup();
    let from = 0;
    while (from < timestamps) {
      const capacity = Math.floor((this.#rowGroupRows - group.rows) / perTimestamp);
      // A row group contains complete observations, at least one, regardless of the number of buckets.
      const to = Math.min(timestamps, from + (group.rows === 0 ? Math.max(1, capacity) : capacity));
      if (to > from) group.push(chunk, labels, from, to);
      from = to;
      if (from < timestamps) await this.#flushRowGroup();
    }
    if (group.isFull(this.#rowGroupRows)) await this.#flushRowGroup();
  }

  async #flushRowGroup(): Promise<void> {
    if (this.#group.rows === 0) return;
    this.#rowGroups.push(this.#group.encode(this.#encoder, this.#out, this.#offset, this.#rowGroups.length));
    this.#group.clear();
    await this.#writeOutput();
  }

  async #writeOutput(): Promise<void> {
    const bytes = this.#out.view();
    await this.#file.write(bytes);
    this.#offset += bytes.length;
    this.#out.clear();
  }

  #encodeFooter(extraMetadata: readonly MetadataEntry[]): Uint8Array {
    return encodeFooter({
      columns: this.#columns,
      rowGroups: this.#rowGroups,
      rows: this.rows,
      metadata: [...this.#options.metadata, ...extraMetadata],
      createdBy: formatCreatedBy(this.#options.metadata),
    });
  }
}

/** Returns `created_by` in the form that parquet-mr parses: application, "version" and the version. */
function formatCreatedBy(metadata: readonly (readonly [key: string, value: string])[]): string {
  const version = metadata.find(([key]) => key === 'aiperf.version')?.[1];
  return version ? `servelens version ${version}` : 'servelens';
}
