import type { ParquetLayout } from '../columns.ts';
import type { MetadataEntry } from '../metadata.ts';
import type { SeriesChunk } from '../series.ts';

/** Options of `openServerMetricsParquet`. */
export interface ParquetWriterOptions {
  /** The label columns of the file, as `planLabelColumns` returns them. */
  readonly labelColumns: readonly string[];
  /** Layout of the file; `servelens` by default. */
  readonly layout?: ParquetLayout | undefined;
  /** Key-value metadata of the file in order, as `buildParquetMetadata` returns it. */
  readonly metadata: readonly (readonly [key: string, value: string])[];
  /**
   * Rows per row group, from 1 to 4,194,304. Default: 1,048,576. Larger row groups need more memory and make
   * smaller files.
   */
  readonly rowGroupRows?: number;
}

/** Size of a written Parquet file. */
export interface ParquetSummary {
  readonly rows: number;
  readonly rowGroups: number;
  /** File size in bytes. */
  readonly bytes: number;
}

/** Writes a server metrics export. Until the writer is closed, the file has a temporary name in the same folder. */
export interface ServerMetricsParquetWriter {
  /** Number of rows appended so far. */
  readonly rows: number;
  /**
   * Appends the rows of a chunk, ordered by time. Append series sorted by metric name, so that readers can
   * skip row groups.
   *
   * @throws {RangeError} before anything is written, if the chunk is inconsistent or has a non-finite number
   * or a label without a column
   */
  appendSeries(chunk: SeriesChunk): Promise<void>;
  /**
   * Writes the remaining rows and the footer, and renames the file. After an error, only abort() can be called.
   *
   * @param extraMetadata entries to append to the metadata of the options
   */
  close(extraMetadata?: readonly MetadataEntry[]): Promise<ParquetSummary>;
  /** Removes the temporary file. Does nothing after a successful close(). */
  abort(): Promise<void>;
}

/** Size of a written dataset. */
export interface DatasetSummary {
  readonly rows: number;
  readonly files: number;
  /** Total file size in bytes. */
  readonly bytes: number;
  /** Values that are too long for a folder name. The metadata of their files contains them in full. */
  readonly shortened: readonly string[];
}

/** Writes a partitioned dataset. Until the writer is closed, the folder has a temporary name in its parent folder. */
export interface ServerMetricsDatasetWriter {
  /** Number of rows appended so far. */
  readonly rows: number;
  /**
   * Appends the rows of a chunk, ordered by time. Append series sorted by metric name and endpoint: each time writing
   * returns to an earlier partition, the partition gets another file.
   *
   * @throws {RangeError} before anything is written, if the chunk is inconsistent or has a non-finite number, a label
   * without a column, or an empty metric name or endpoint
   */
  appendSeries(chunk: SeriesChunk): Promise<void>;
  /** Renames the dataset and replaces an existing one. After an error, only abort() can be called. */
  close(): Promise<DatasetSummary>;
  /** Removes the temporary folder. Does nothing after a successful close(). */
  abort(): Promise<void>;
}
