import { AtomicFile } from '../../output/atomicFile.ts';
import type {
  ParquetWriterOptions,
  ServerMetricsDatasetWriter,
  ServerMetricsParquetWriter,
} from './contract.ts';
import { checkOptions } from './options.ts';

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
  const { parquetWriter, WriteBuffers } = await import('./writer.ts');
  return parquetWriter(path, await AtomicFile.open(path), options, new WriteBuffers(options.labelColumns));
}

/**
 * Opens a Hive-partitioned dataset for writing: `endpoint_url=…/metric_name=…/part-0.parquet`, which Spark, Trino, ClickHouse and
 * DuckDB read as one table. Each file has the metadata and all columns of a single export but those two, whose values are
 * the folders' names.
 *
 * One file is open at a time; memory is bounded by its row group and the names of the partitions.
 *
 * @throws {RangeError} for options that `openServerMetricsParquet` refuses, and when `folder` has anything else in it
 * @throws the file system's error when the folder cannot be made
 */
export async function openServerMetricsDataset(
  folder: string,
  options: ParquetWriterOptions,
): Promise<ServerMetricsDatasetWriter> {
  checkOptions(options);
  const { openDataset } = await import('./dataset.ts');
  return await openDataset(folder, options);
}
