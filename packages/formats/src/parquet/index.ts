// Writing, reading and validating Parquet exports of server metrics.
export { type LabelColumns, planLabelColumns, RESERVED_COLUMNS } from './columns.ts';
export { ParquetError, type ParquetErrorCode } from './error.ts';
export {
  buildParquetMetadata,
  type MetadataEntry,
  type ParquetMetadataInput,
  VERSION_KEY,
} from './metadata.ts';
export { formatPartitionFolder, isDataset, type PartitionFolder } from './partition.ts';
export {
  type ColumnValues,
  type DoubleValues,
  getDoubles,
  getInt64s,
  getTexts,
  type Int64Values,
  type RowBatch,
  type TextValues,
} from './read/batch.ts';
export {
  type BatchOptions,
  readServerMetricsParquet,
  type ServerMetricsParquetReader,
} from './read/reader.ts';
export type { ParquetColumn } from './read/schema.ts';
export type { HistogramColumns, MetricType, SeriesChunk } from './series.ts';
export { listSeriesLabelColumns, planTargetColumns, TARGET_COLUMNS_KEY } from './targetColumns.ts';
export { validateParquet } from './validate/validate.ts';
export type {
  DatasetSummary,
  ParquetSummary,
  ParquetWriterOptions,
  ServerMetricsDatasetWriter,
  ServerMetricsParquetWriter,
} from './write/contract.ts';
export { openServerMetricsDataset, openServerMetricsParquet } from './write/open.ts';
