export { profileAggregateCsv, profileSweepCsv } from './aggregate-csv.ts';
export { serverMetricsCsv, serverMetricsCsvChunks } from './csv.ts';
export type { CsvOptions } from './csv-layout.ts';
export {
  type Content,
  type FailedWrite,
  failedWrite,
  type WriteFailure,
  type WriteResult,
  writeFileAtomic,
} from './file.ts';
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
} from './json.ts';
export { type JsonOptions, jsonText } from './json-text.ts';
export { jsonlRecord } from './jsonl.ts';
export { profileExportCsv, profileTimeslicesCsv } from './profile-csv.ts';
export { openProfileRecords, type ProfileRecordWriter, profileRecordLine } from './profile-record.ts';
export { type ProfileExportVersion, profileExportAt, profileExportVersions } from './profile-version.ts';
export type {
  LegacyMetricStream,
  LegacyServerMetricsStream,
  MetricStream,
  ServerMetricsStream,
} from './stream.ts';
