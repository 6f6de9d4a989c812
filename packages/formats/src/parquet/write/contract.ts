import type { MetadataEntry } from '../metadata.ts';
import type { SeriesChunk } from '../series.ts';

/** Options of `openServerMetricsParquet`. */
export interface ParquetWriterOptions {
  /** The label columns of the file, as `planLabelColumns` returns them. */
  readonly labelColumns: readonly string[];
  /** Key-value metadata of the file in order, as `buildParquetMetadata` returns it. */
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

/** What was written of a dataset. */
export interface DatasetSummary {
  readonly rows: number;
  readonly files: number;
  /** Size of all files. */
  readonly bytes: number;
  /** Names that no folder can have in full; the metadata of their files has them. */
  readonly shortened: readonly string[];
}

/** Writes a partitioned dataset; it stands under a temporary name beside `folder` until it is closed. */
export interface ServerMetricsDatasetWriter {
  /** How many rows were appended so far. */
  readonly rows: number;
  /**
   * Appends the rows of a piece of a series, in order of time. Hand over series sorted by metric name and endpoint: a
   * partition that comes back later gets one more file.
   *
   * @throws {RangeError} before anything is written when the chunk does not fit together, has a number that is not
   * finite, a label without a column, or an empty metric name or endpoint
   */
  appendSeries(chunk: SeriesChunk): Promise<void>;
  /** Puts the dataset in its place, instead of one that was there. After an error only abort() is left. */
  close(): Promise<DatasetSummary>;
  /** Removes what was written. Does nothing after a close() that worked. */
  abort(): Promise<void>;
}
