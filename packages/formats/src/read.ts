/** Readers for JSON, JSONL and CSV exports. Parquet has its own entry point. */

export { findExportPrefixes } from './cli/exportNames.ts';
export { nameEndpoints } from './csv/endpointNames.ts';
export { convertLegacyServerMetrics } from './json/convertLegacy.ts';
export { parseBound, sortNumericKeys as sortBounds } from './json/numericKeys.ts';
export { type ParsedJson, parseJson } from './json/parse.ts';
export {
  type AnyServerMetrics,
  listProfileMetrics,
  listTimesliceMetrics,
  readPhaseGpuTelemetry,
  readProfileAggregate,
  readProfileCollated,
  readProfileExport,
  readProfileMetrics,
  readProfileSweep,
  readProfileTimeslices,
  readSearchHistory,
  readServerMetrics,
  readServerMetricsJson,
  type ServerMetricsOptions,
} from './json/readDocuments.ts';
export type {
  CounterView,
  GaugeView,
  HistogramView,
  MetricView,
  ServerMetricsView,
  SummaryView,
} from './json/serverMetricsView.ts';
export { flattenSweepMetrics } from './json/sweepMetrics.ts';
export { JsonSyntaxError } from './json/syntaxError.ts';
export { isWarmupRecord } from './jsonl/isWarmupRecord.ts';
export { type Line, splitLines } from './jsonl/lines.ts';
export {
  type RecordOptions,
  readGpuTelemetryRecords,
  readProfileRecords,
  readRecords,
  type ScrapeRecordOptions,
} from './jsonl/readRecords.ts';
export { type FilePath, fromPath, type Input } from './source/input.ts';
export { openSource } from './source/openSource.ts';
export type { Source } from './source/source.ts';
export { EncodingError, isSourceError } from './source/source.ts';
export { FormatError } from './validate/issue.ts';
export { type ReadResult, toReadResult } from './validate/readResult.ts';
