export { serverMetricsCsv } from './csv.ts';
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
  serverMetricsJsonChunks,
  writeLegacyServerMetricsJson,
  writeProfileExportJson,
  writeServerMetricsJson,
} from './json.ts';
export type { JsonOptions } from './json-text.ts';
export { jsonlRecord } from './jsonl.ts';
