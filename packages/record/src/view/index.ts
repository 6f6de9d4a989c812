export { formatUtc } from '../isoTime.ts';
export {
  type ExportView,
  exportView,
  listEndpointsSlicedByInterval,
  listSummaryMetrics,
} from './exportView.ts';
export { generateServerMetricsRecords } from './jsonlRecords.ts';
export { streamLegacyServerMetrics } from './legacyServerMetrics.ts';
export { describeParquetExport, ReferenceCollector } from './parquetMetadata.ts';
export { generateParquetSeries } from './parquetRows.ts';
export { createServerMetricsDocument, type StatisticsOptions, streamServerMetrics } from './serverMetrics.ts';
