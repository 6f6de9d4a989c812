export { type LabelColumns, labelColumnsOf, RESERVED_COLUMNS } from './columns.ts';
export {
  type MetadataEntry,
  PARQUET_SCHEMA_VERSION,
  type ParquetMetadataInput,
  parquetMetadata,
} from './metadata.ts';
export { type HistogramColumns, METRIC_TYPES, type MetricType, type SeriesChunk } from './series.ts';
export {
  openServerMetricsParquet,
  type ParquetSummary,
  type ParquetWriterOptions,
  type ServerMetricsParquetWriter,
} from './writer.ts';
