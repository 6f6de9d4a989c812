export { serverMetricsRecords } from './jsonlRecords.ts';
export { legacyServerMetricsStream } from './legacy.ts';
export { metricsOf } from './metrics.ts';
export { seriesChunks } from './parquetRows.ts';
export { References } from './runMetadata.ts';
export {
  edgesIn,
  periodOf,
  serverMetricsDocument,
  serverMetricsStream,
  summaryOf,
  utcTime,
} from './statistics.ts';
