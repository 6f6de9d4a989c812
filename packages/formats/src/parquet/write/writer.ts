import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { ByteSink } from '../bytes.ts';
import { byCodePoint, columnsOf, FIXED_COLUMNS, isReserved, VALUE_COLUMNS } from '../columns.ts';
import { checkSeries, type HistogramColumns, rowsOf, type SeriesChunk } from '../series.ts';
import { ColumnBuffer, ColumnChunkEncoder } from './column-chunk.ts';
import { encodeFooter, MAGIC } from './footer.ts';
import { NULL_CODE } from './runs.ts';
import { int64, parquet } from './thrift.ts';

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
  /** Writes the rest and the footer and puts the file in its place. */
  close(): Promise<ParquetSummary>;
  /** Removes what was written. Does nothing after close(). */
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
  const temporaryPath = `${path}.${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
  const file = await open(temporaryPath, 'wx');
  return new FileWriter(path, temporaryPath, file, options);
}

function checkOptions({ labelColumns, rowGroupRows }: ParquetWriterOptions): void {
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

const BY_METRIC_NAME: parquet.SortingColumn = new parquet.SortingColumn({
  column_idx: FIXED_COLUMNS.findIndex(column => column.name === 'metric_name'),
  descending: false,
  nulls_first: false,
});

type State = 'open' | 'closed' | 'aborted';

class FileWriter implements ServerMetricsParquetWriter {
  rows = 0;
  readonly #path: string;
  readonly #temporaryPath: string;
  readonly #file: FileHandle;
  readonly #options: ParquetWriterOptions;
  readonly #rowGroupRows: number;
  readonly #group: RowGroupBuffer;
  readonly #rowGroups: parquet.RowGroup[] = [];
  readonly #out: ByteSink = new ByteSink(1 << 20);
  readonly #encoder: ColumnChunkEncoder = new ColumnChunkEncoder();
  /** Bytes that are in the file. */
  #offset = 0;
  #state: State = 'open';

  constructor(path: string, temporaryPath: string, file: FileHandle, options: ParquetWriterOptions) {
    this.#path = path;
    this.#temporaryPath = temporaryPath;
    this.#file = file;
    this.#options = options;
    this.#rowGroupRows = options.rowGroupRows ?? DEFAULT_ROW_GROUP_ROWS;
    this.#group = new RowGroupBuffer(options.labelColumns);
    this.#out.append(Buffer.from(MAGIC, 'latin1'));
  }

  async appendSeries(chunk: SeriesChunk): Promise<void> {
    this.#mustBeOpen();
    checkSeries(chunk);
    const labels = this.#group.labelValues(chunk);
    const perTimestamp = chunk.histogram ? chunk.histogram.bounds.length : 1;
    const timestamps = chunk.timestampsNs.length;
    this.rows += rowsOf(chunk);
    if (this.#group.endsBefore(chunk, this.#rowGroupRows)) await this.#flush();
    let from = 0;
    while (from < timestamps) {
      const room = Math.floor((this.#rowGroupRows - this.#group.rows) / perTimestamp);
      // A row group holds whole observations, and at least one, however many buckets it has.
      const to = Math.min(timestamps, from + (this.#group.rows === 0 ? Math.max(1, room) : room));
      if (to > from) this.#group.push(chunk, labels, from, to);
      from = to;
      if (from < timestamps) await this.#flush();
    }
    if (this.#group.rows >= this.#rowGroupRows) await this.#flush();
  }

  async close(): Promise<ParquetSummary> {
    this.#mustBeOpen();
    try {
      await this.#flush();
      this.#out.append(
        encodeFooter({
          columns: columnsOf(this.#options.labelColumns),
          rowGroups: this.#rowGroups,
          rows: this.rows,
          metadata: this.#options.metadata,
          createdBy: createdBy(this.#options.metadata),
        }),
      );
      await this.#write();
      await this.#file.close();
      await rename(this.#temporaryPath, this.#path);
    } catch (error) {
      await this.abort();
      throw error;
    }
    this.#state = 'closed';
    return { rows: this.rows, rowGroups: this.#rowGroups.length, bytes: this.#offset };
  }

  async abort(): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'aborted';
    await this.#file.close();
    await unlink(this.#temporaryPath).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }

  #mustBeOpen(): void {
    if (this.#state !== 'open')
      throw new Error(`cannot write to ${this.#path}: the writer is ${this.#state}`);
  }

  async #flush(): Promise<void> {
    if (this.#group.rows === 0) return;
    this.#rowGroups.push(this.#group.encode(this.#encoder, this.#out, this.#offset, this.#rowGroups.length));
    this.#group.clear();
    await this.#write();
  }

  async #write(): Promise<void> {
    const bytes = this.#out.view();
    let written = 0;
    while (written < bytes.length) {
      written += (await this.#file.write(bytes, written, bytes.length - written)).bytesWritten;
    }
    this.#offset += bytes.length;
    this.#out.clear();
  }
}

/** The rows of the row group that is being collected, column by column. */
class RowGroupBuffer {
  rows = 0;
  readonly #columns: readonly ColumnBuffer[];
  readonly #labelColumns: readonly string[];
  #lastMetric = '';
  #sorted = true;

  constructor(labelColumns: readonly string[]) {
    this.#labelColumns = labelColumns;
    this.#columns = columnsOf(labelColumns).map(column => new ColumnBuffer(column));
  }

  /** The values of the label columns for a series; throws when a label has no column. */
  labelValues(chunk: SeriesChunk): (string | null)[] {
    const values = new Map(chunk.labels.filter(([name]) => !isReserved(name)));
    const row = this.#labelColumns.map(name => {
      const value = values.get(name);
      values.delete(name);
      return value ?? null;
    });
    for (const name of values.keys()) {
      throw new RangeError(
        `cannot write series ${chunk.metricName} of ${chunk.endpointUrl}: label ${JSON.stringify(name)} is not in labelColumns`,
      );
    }
    return row;
  }

  /**
   * Whether the row group had better end before `chunk`: it is half full, and the chunk belongs to another metric, which
   * readers then skip by row group, or would be cut in two, which would write its timestamps twice.
   */
  endsBefore(chunk: SeriesChunk, rowGroupRows: number): boolean {
    if (this.rows * 2 < rowGroupRows) return false;
    return chunk.metricName !== this.#lastMetric || this.rows + rowsOf(chunk) > rowGroupRows;
  }

  /** Adds the rows of the timestamps `from` (included) to `to` (excluded). */
  push(chunk: SeriesChunk, labels: readonly (string | null)[], from: number, to: number): void {
    const perTimestamp = chunk.histogram ? chunk.histogram.bounds.length : 1;
    const rows = (to - from) * perTimestamp;
    if (this.rows > 0 && byCodePoint(this.#lastMetric, chunk.metricName) > 0) this.#sorted = false;
    this.#lastMetric = chunk.metricName;
    const texts = [
      chunk.endpointUrl,
      chunk.metricName,
      chunk.metricType,
      chunk.unit,
      chunk.description || null,
    ];
    texts.forEach((text, i) => {
      this.#columns[i]!.pushText(text, rows);
    });
    pushWords(this.#columns[texts.length]!, chunk.timestampsNs, from, to, perTimestamp);
    labels.forEach((label, i) => {
      this.#columns[FIXED_COLUMNS.length + i]!.pushText(label, rows);
    });
    this.#pushValues(chunk, from, to);
    this.rows += rows;
  }

  #pushValues(chunk: SeriesChunk, from: number, to: number): void {
    const [value, sum, count, bucketLe, bucketCount] = this.#columns.slice(-VALUE_COLUMNS.length) as [
      ColumnBuffer,
      ColumnBuffer,
      ColumnBuffer,
      ColumnBuffer,
      ColumnBuffer,
    ];
    if (chunk.values) {
      pushWords(value, chunk.values, from, to, 1);
      for (const column of [sum, count, bucketLe, bucketCount]) column.runs.push(NULL_CODE, to - from);
    } else if (chunk.histogram) {
      const perTimestamp = chunk.histogram.bounds.length;
      value.runs.push(NULL_CODE, (to - from) * perTimestamp);
      pushWords(sum, chunk.histogram.sums, from, to, perTimestamp);
      pushWords(count, chunk.histogram.counts, from, to, perTimestamp);
      pushBounds(bucketLe, chunk.histogram.bounds, to - from);
      pushBuckets(bucketCount, chunk.histogram, from, to);
    }
  }

  encode(encoder: ColumnChunkEncoder, out: ByteSink, offset: number, ordinal: number): parquet.RowGroup {
    const start = offset + out.length;
    const columns = this.#columns.map(column => encoder.encode(column, out, offset));
    const sizeOf = (size: 'total_uncompressed_size' | 'total_compressed_size'): number =>
      columns.reduce((sum, column) => sum + Number(column.meta_data![size]), 0);
    return new parquet.RowGroup({
      columns,
      total_byte_size: int64(sizeOf('total_uncompressed_size')),
      num_rows: int64(this.rows),
      file_offset: int64(start),
      total_compressed_size: int64(sizeOf('total_compressed_size')),
      ...(this.#sorted && { sorting_columns: [BY_METRIC_NAME] }),
      // A 16-bit field: files with more row groups leave it out.
      ...(ordinal < 1 << 15 && { ordinal }),
    });
  }

  clear(): void {
    this.rows = 0;
    this.#sorted = true;
    for (const column of this.#columns) column.clear();
  }
}

/** Adds each of the 64-bit values `from` to `to`, `repeat` rows each. */
function pushWords(
  column: ColumnBuffer,
  values: Float64Array | BigInt64Array,
  from: number,
  to: number,
  repeat: number,
): void {
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  const { runs, words: dictionary } = column;
  for (let i = from; i < to; i++) runs.push(dictionary.code(words[2 * i]!, words[2 * i + 1]!), repeat);
}

function pushBounds(column: ColumnBuffer, bounds: readonly string[], timestamps: number): void {
  const codes = bounds.map(bound => column.texts.code(bound));
  for (let i = 0; i < timestamps; i++) {
    for (const code of codes) column.runs.push(code, 1);
  }
}

/** Adds the bucket counts timestamp by timestamp. A bucket often keeps its count, and then its code too. */
function pushBuckets(
  column: ColumnBuffer,
  { bucketCounts }: HistogramColumns,
  from: number,
  to: number,
): void {
  const { runs, words: dictionary } = column;
  const buckets = bucketCounts.map(
    counts => new Int32Array(counts.buffer, counts.byteOffset, counts.length * 2),
  );
  const codes = new Int32Array(buckets.length);
  for (let i = from; i < to; i++) {
    for (let bucket = 0; bucket < buckets.length; bucket++) {
      const words = buckets[bucket]!;
      const low = words[2 * i]!;
      const high = words[2 * i + 1]!;
      if (i === from || low !== words[2 * i - 2] || high !== words[2 * i - 1]) {
        codes[bucket] = dictionary.code(low, high);
      }
      runs.push(codes[bucket]!, 1);
    }
  }
}

/** `created_by` in the form that parquet-mr parses: application, "version" and the version. */
function createdBy(metadata: readonly (readonly [key: string, value: string])[]): string {
  const version = metadata.find(([key]) => key === 'aiperf.version')?.[1];
  return version ? `servelens version ${version}` : 'servelens';
}
