import { AtomicFile } from '../../output/atomicFile.ts';
import { isReserved } from '../columns.ts';
import type {
  ParquetWriterOptions,
  ServerMetricsDatasetWriter,
  ServerMetricsParquetWriter,
} from './contract.ts';

/**
 * Opens a Parquet export of server metrics for writing, with Snappy compression. Memory use depends on the
 * row group and the largest chunk, not on the size of the file.
 *
 * @throws {RangeError} for a label column with a reserved name, a duplicate label column, or an invalid
 * `rowGroupRows`
 * @throws the file system's error if the file cannot be created
 */
export async function openServerMetricsParquet(
  path: string,
  options: ParquetWriterOptions,
): Promise<ServerMetricsParquetWriter> {
  checkOptions(options);
  const { createParquetWriter, WriteBuffers } = await import('./writer.ts');
  return createParquetWriter(path, await AtomicFile.open(path), options, new WriteBuffers(options));
}

/**
 * Opens a Hive-partitioned dataset for writing: `endpoint_url=…/metric_name=…/part-0.parquet`, which Spark,
 * Trino, ClickHouse and DuckDB read as one table. Each file has the metadata and columns of a single export,
 * except these two columns, whose values are in the folder names.
 *
 * One file is open at a time. Memory use depends on its row group and the names of the partitions.
 *
 * @throws {RangeError} for the invalid options listed at `openServerMetricsParquet`, or if `folder` contains
 * anything other than a dataset
 * @throws the file system's error if the folder cannot be created
 */
export async function openServerMetricsDataset(
  folder: string,
  options: ParquetWriterOptions,
): Promise<ServerMetricsDatasetWriter> {
  checkOptions(options);
  const { openDataset } = await import('./dataset.ts');
  return await openDataset(folder, options);
}

/**
 * Maximum number of rows per row group. Keeps dictionary codes below 24 bits, the limit of the encoder, and
 * row groups small enough for readers to hold in memory.
 */
const MAX_ROW_GROUP_ROWS = 1 << 22;

/** @throws {RangeError} for invalid options; see `openServerMetricsParquet` */
function checkOptions({ labelColumns, rowGroupRows }: ParquetWriterOptions): void {
  const reserved = labelColumns.find(isReserved);
  if (reserved !== undefined) {
    throw new RangeError(`label column ${JSON.stringify(reserved)} has a reserved name; omit it`);
  }
  const duplicate = labelColumns.find((name, i) => labelColumns.indexOf(name) !== i);
  if (duplicate !== undefined)
    throw new RangeError(
      `label column ${JSON.stringify(duplicate)} is a duplicate; column names must be unique`,
    );
  if (rowGroupRows === undefined) return;
  if (!Number.isInteger(rowGroupRows) || rowGroupRows < 1 || rowGroupRows > MAX_ROW_GROUP_ROWS) {
    throw new RangeError(
      `rowGroupRows is ${rowGroupRows}; expected an integer from 1 to ${MAX_ROW_GROUP_ROWS}`,
    );
  }
}
