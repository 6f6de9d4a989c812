import { AtomicFile } from '../../write/atomic-file.ts';
import { ByteSink } from '../bytes.ts';
import { type Column, columnsOf, isReserved } from '../columns.ts';
import type { MetadataEntry } from '../metadata.ts';
import { checkSeries, rowsOf, type SeriesChunk } from '../series.ts';
import { ColumnChunkEncoder } from './column-chunk.ts';
import { encodeFooter, MAGIC } from './footer.ts';
import type { OutputFile } from './part-file.ts';
import { RowGroupBuffer } from './row-group.ts';
import type { parquet } from './thrift.ts';
import { WriterState } from './writer-state.ts';

/** Options of `openServerMetricsParquet`. */
export interface ParquetWriterOptions {
  /** The label columns of the file, as `labelColumnsOf` returns them. */
  readonly labelColumns: readonly string[];
  /** Key-value metadata of the file in order, as `parquetMetadata` returns it. */
  readonly metadata: readonly (readonly [key: string, value: string])[];
  /** Rows of a row group, from 1 to 4,194,304; 1,048,576 by default. Memory grows with it, file size falls. */
  readonly rowGroupRows?: number;
}

/** What was written. */
export interface ParquetSummary {
  readonly rows: number;
  readonly rowGroups: number;
  /** Size of the file. */
  readonly bytes: number;
}

/** Writes one server metrics export; it stands under a temporary name beside `path` until it is closed. */
export interface ServerMetricsParquetWriter {
  /** How many rows were appended so far. */
  readonly rows: number;
  /**
   * Appends the rows of a piece of a series, in order of time; of a histogram all buckets of a timestamp together.
   * Hand over series sorted by metric name, so that readers can skip what they do not ask for.
   *
   * @throws {RangeError} before anything is written when the chunk does not fit together, has a number that is not
   * finite or a label without a column
   */
  appendSeries(chunk: SeriesChunk): Promise<void>;
  /**
   * Writes the rest and the footer and puts the file in its place. After an error only abort() is left.
   *
   * @param more metadata that is known only now, behind that of the options
   */
  close(more?: readonly MetadataEntry[]): Promise<ParquetSummary>;
  /** Removes what was written. Does nothing after a close() that worked. */
  abort(): Promise<void>;
}

const DEFAULT_ROW_GROUP_ROWS = 1 << 20;
/** Codes of a dictionary have 24 bits at most, and the reader of a row group must hold it. */
const MAX_ROW_GROUP_ROWS = 1 << 22;

/**
 * Opens a Parquet export of server metrics (seed 000) for writing.
 *
 * Memory is bounded by the row group and the largest chunk, not by the file. Compression is Snappy.
 *
 * @throws {RangeError} when a label column is called like a reserved column or is there twice, or `rowGroupRows` is not
 * in its range
 * @throws the file system's error when the file cannot be created
 */
export async function openServerMetricsParquet(
  path: string,
  options: ParquetWriterOptions,
): Promise<ServerMetricsParquetWriter> {
  checkOptions(options);
  return parquetWriter(path, await AtomicFile.open(path), options, new WriteBuffers(options.labelColumns));
}

/** What a file is put together in. Files that are written one after the other share it. */
export class WriteBuffers {
  readonly columns: readonly Column[];
  readonly group: RowGroupBuffer;
  readonly out: ByteSink = new ByteSink(1 << 16);
  readonly encoder: ColumnChunkEncoder = new ColumnChunkEncoder();

  /** @param columns the columns of the files: all, or those that a dataset does not keep in its folders */
  constructor(labelColumns: readonly string[], columns: readonly Column[] = columnsOf(labelColumns)) {
    this.columns = columns;
    this.group = new RowGroupBuffer(labelColumns, columns);
  }
}

/** Writes to a file that is open, with options that were checked. */
export function parquetWriter(
  path: string,
  file: OutputFile,
  options: ParquetWriterOptions,
  buffers: WriteBuffers,
): ServerMetricsParquetWriter {
  return new FileWriter(path, file, options, buffers);
}

/** @throws {RangeError} as `openServerMetricsParquet` does */
export function checkOptions({ labelColumns, rowGroupRows }: ParquetWriterOptions): void {
  const taken = labelColumns.find(isReserved);
  if (taken !== undefined) {
    throw new RangeError(`label column ${JSON.stringify(taken)} has a reserved name; leave it out`);
  }
  const twice = labelColumns.find((name, i) => labelColumns.indexOf(name) !== i);
  if (twice !== undefined) throw new RangeError(`label column ${JSON.stringify(twice)} is there twice`);
  if (rowGroupRows === undefined) return;
  if (!Number.isInteger(rowGroupRows) || rowGroupRows < 1 || rowGroupRows > MAX_ROW_GROUP_ROWS) {
    throw new RangeError(
      `rowGroupRows is ${rowGroupRows}; an integer from 1 to ${MAX_ROW_GROUP_ROWS} is accepted`,
    );
  }
}

class FileWriter implements ServerMetricsParquetWriter {
  rows = 0;
  readonly #file: OutputFile;
  readonly #options: ParquetWriterOptions;
  readonly #columns: readonly Column[];
  readonly #rowGroupRows: number;
  readonly #group: RowGroupBuffer;
  readonly #rowGroups: parquet.RowGroup[] = [];
  readonly #out: ByteSink;
  readonly #encoder: ColumnChunkEncoder;
  /** Bytes that are in the file. */
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
    this.#state.mustBeOpen();
    checkSeries(chunk);
    const labels = this.#group.labelValues(chunk);
    await this.#state.exclusively(() => this.#append(chunk, labels));
  }

  async close(more: readonly MetadataEntry[] = []): Promise<ParquetSummary> {
    this.#state.mustBeOpen();
    await this.#state.exclusively(async () => {
      await this.#flush();
      this.#out.append(this.#footer(more));
      await this.#write();
      await this.#file.commit();
    }, 'closed');
    return { rows: this.rows, rowGroups: this.#rowGroups.length, bytes: this.#offset };
  }

  async abort(): Promise<void> {
    if (!this.#state.abort()) return;
    await this.#file.abort();
  }

  async #append(chunk: SeriesChunk, labels: readonly (string | null)[]): Promise<void> {
    const group = this.#group;
    const perTimestamp = chunk.histogram ? chunk.histogram.bounds.length : 1;
    const timestamps = chunk.timestampsNs.length;
    this.rows += rowsOf(chunk);
    if (group.endsBefore(chunk, this.#rowGroupRows)) await this.#flush();
    let from = 0;
    while (from < timestamps) {
      const room = Math.floor((this.#rowGroupRows - group.rows) / perTimestamp);
      // A row group holds whole observations, and at least one, however many buckets it has.
      const to = Math.min(timestamps, from + (group.rows === 0 ? Math.max(1, room) : room));
      if (to > from) group.push(chunk, labels, from, to);
      from = to;
      if (from < timestamps) await this.#flush();
    }
    if (group.isFull(this.#rowGroupRows)) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#group.rows === 0) return;
    this.#rowGroups.push(this.#group.encode(this.#encoder, this.#out, this.#offset, this.#rowGroups.length));
    this.#group.clear();
    await this.#write();
  }

  async #write(): Promise<void> {
    const bytes = this.#out.view();
    await this.#file.write(bytes);
    this.#offset += bytes.length;
    this.#out.clear();
  }

  #footer(more: readonly MetadataEntry[]): Uint8Array {
    return encodeFooter({
      columns: this.#columns,
      rowGroups: this.#rowGroups,
      rows: this.rows,
      metadata: [...this.#options.metadata, ...more],
      createdBy: createdBy(this.#options.metadata),
    });
  }
}

/** `created_by` in the form that parquet-mr parses: application, "version" and the version. */
function createdBy(metadata: readonly (readonly [key: string, value: string])[]): string {
  const version = metadata.find(([key]) => key === 'aiperf.version')?.[1];
  return version ? `servelens version ${version}` : 'servelens';
}
