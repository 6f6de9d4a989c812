export {
  type ExportView,
  exportView,
  listEndpointsSlicedByInterval,
  listSummaryMetrics,
  type ViewMetric,
} from './exportView.ts';
export { generateServerMetricsRecords } from './jsonlRecords.ts';
export { streamLegacyServerMetrics } from './legacyServerMetrics.ts';
export { ReferenceCollector } from './parquetMetadata.ts';
export { generateParquetSeries } from './parquetRows.ts';
export { createServerMetricsDocument, type StatisticsOptions, streamServerMetrics } from './serverMetrics.ts';
export { formatUtc } from './summary.ts';
