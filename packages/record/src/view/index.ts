/** Converts run records to the content of each export format. */

export { formatUtc } from '../isoTime.ts';
export {
  createExportView,
  type ExportView,
  listEndpointsSlicedByInterval,
  listSummaryMetrics,
  type ViewOptions,
} from './exportView.ts';
export { generateServerMetricsRecords } from './jsonlRecords.ts';
export { streamLegacyServerMetrics } from './legacyServerMetrics.ts';
export { describeParquetExport, ReferenceCollector } from './parquetMetadata.ts';
export { generateParquetSeries } from './parquetRows.ts';
export { type RecordedPhase, streamPhaseServerMetrics } from './phaseServerMetrics.ts';
export { listPhases } from './phases.ts';
export {
  createServerMetricsDocument,
  type SeriesEntry,
  type StatisticsOptions,
  streamServerMetrics,
} from './serverMetrics.ts';
export { hasAiperfScrape } from './statisticsWindow.ts';
