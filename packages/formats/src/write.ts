export type { CsvOptions } from './csv/layout.ts';
export { profileAggregateCsv, profileSweepCsv } from './csv/writeAggregateCsv.ts';
export { profileExportCsv, profileTimeslicesCsv } from './csv/writeProfileCsv.ts';
export { serverMetricsCsv, serverMetricsCsvChunks } from './csv/writeServerMetricsCsv.ts';
export type {
  LegacyMetricStream,
  LegacyServerMetricsStream,
  MetricStream,
  ServerMetricsStream,
} from './json/documentStream.ts';
export { type JsonOptions, jsonText } from './json/jsonWriter.ts';
export { type ProfileExportVersion, profileExportAt, profileExportVersions } from './json/profileVersion.ts';
export {
  legacyServerMetricsJsonChunks,
  type ProfileExportOptions,
  serverMetricsJsonChunks,
  writeLegacyServerMetricsJson,
  writeProfileAggregateJson,
  writeProfileCollatedJson,
  writeProfileExportJson,
  writeProfileSweepJson,
  writeProfileTimeslicesJson,
  writeServerMetricsJson,
} from './json/writeDocuments.ts';
export {
  openProfileRecords,
  type ProfileRecordWriter,
  profileRecordLine,
} from './jsonl/profileRecordWriter.ts';
export { jsonlRecord } from './jsonl/serverMetricsLine.ts';
export {
  type Content,
  type FailedWrite,
  failedWrite,
  type WriteFailure,
  type WriteResult,
  writeFileAtomic,
} from './output/writeFile.ts';
