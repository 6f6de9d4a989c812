/** Writers for JSON, JSONL and CSV exports, and atomic file output. Parquet has its own entry point. */

export type { CsvOptions } from './csv/layout.ts';
export { writeProfileAggregateCsv, writeProfileSweepCsv } from './csv/writeAggregateCsv.ts';
export { writeProfileExportCsv, writeProfileTimeslicesCsv } from './csv/writeProfileCsv.ts';
export { streamServerMetricsCsv, writeServerMetricsCsv } from './csv/writeServerMetricsCsv.ts';
export { selectAiperfTags } from './json/aiperfLayout.ts';
export { type JsonOptions, stringifyJson } from './json/jsonWriter.ts';
export type { ProfileExportVersion } from './json/profileVersion.ts';
export {
  type LegacyMetricStream,
  type LegacyServerMetricsStream,
  type MetricStream,
  type ProfileExportOptions,
  type ServerMetricsStream,
  streamLegacyServerMetricsJson,
  streamServerMetricsJson,
  writeLegacyServerMetricsJson,
  writeProfileAggregateJson,
  writeProfileCollatedJson,
  writeProfileExportJson,
  writeProfileSweepJson,
  writeProfileTimeslicesJson,
  writeSearchHistoryJson,
  writeServerMetricsJson,
} from './json/writeDocuments.ts';
export {
  type PhaseMetric,
  type PhaseServerMetricsStream,
  streamInputsJson,
  streamOutputsJson,
  streamPhaseServerMetricsJson,
  writePhaseGpuTelemetryJson,
  writePhaseManifestJson,
  writePushReportJson,
  writeResultsReadyJson,
} from './json/writeRunFiles.ts';
export { type LineWriter, openLines } from './jsonl/lineWriter.ts';
export { openProfileRecords, type ProfileRecordWriter } from './jsonl/profileRecordWriter.ts';
export {
  writeGpuTelemetryLine,
  writeProfileRecordLine,
  writeRawRecordLine,
  writeServerMetricsLine,
} from './jsonl/writeRecordLine.ts';
export {
  type Content,
  describeWriteError,
  type FailedWrite,
  type WriteFailure,
  type WriteResult,
  writeFileAtomic,
} from './output/writeFile.ts';
