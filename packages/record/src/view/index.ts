export {
  type ExportView,
  endpointsSlicedByInterval,
  exportView,
  summaryMetricNames,
  type ViewMetric,
} from './exportView.ts';
export { serverMetricsRecords } from './jsonlRecords.ts';
export { legacyServerMetricsStream } from './legacyServerMetrics.ts';
export { ReferenceCollector } from './parquetMetadata.ts';
export { parquetSeries } from './parquetRows.ts';
export { type StatisticsOptions, serverMetricsDocument, serverMetricsStream } from './serverMetrics.ts';
export { formatUtc } from './summary.ts';
