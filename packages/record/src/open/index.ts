/** Reads run records from journals, Parquet exports and JSONL exports. */

export { parseTimeNs } from '../isoTime.ts';
export type { OpenedRun } from './exportedRun.ts';
export { readJsonlRecord } from './jsonlRecord.ts';
export { MISSING_DATA, type OpenedRecord, openRunRecord } from './openRunRecord.ts';
export { readParquetRecord } from './parquetRecord.ts';
export { findSampleFiles, type SampleFiles, SOURCES, type SourceKind } from './sampleFiles.ts';
