/** Validation of exports, and the types of all export documents. Readers are in `read.ts`, writers in `write.ts`. */

export { AIPERF_VERSION } from './aiperfVersion.ts';
export type { FilesValidation, ValidateFilesOptions } from './cli/fileList.ts';
export type { Outcome, ReportFormat } from './cli/report.ts';
export { validateFiles } from './cli/validateFiles.ts';
export type { GpuTelemetryRecord } from './generated/gpuTelemetryRecord.ts';
export type { InputSession, Inputs } from './generated/inputs.ts';
export type {
  LegacyCounterSeries,
  LegacyEndpointInfo,
  LegacyGaugeSeries,
  LegacyHistogramSeries,
  LegacyMetric,
  LegacyServerMetricsDocument,
  LegacySummarySeries,
} from './generated/legacyServerMetrics.ts';
export type { Output, Outputs } from './generated/outputs.ts';
export type { PhaseGpuTelemetry } from './generated/phaseGpuTelemetry.ts';
export type { ManifestPhase, PhaseManifest } from './generated/phaseManifest.ts';
export type {
  PhaseEndpoint,
  PhaseEndpointInfo,
  PhaseServerMetrics,
  PhaseServerMetricsData,
} from './generated/phaseServerMetrics.ts';
export type {
  AggregateMetadata,
  AggregateMetric,
  Convergence,
  FailedRun,
  ProfileAggregate,
  RequestCounts,
  ServerAggregateMetric,
  ServerAggregateSeries,
} from './generated/profileAggregate.ts';
export type {
  CollatedMetadata,
  CollatedMetric,
  CollatedStats,
  ProfileCollated,
  RunStats,
} from './generated/profileCollated.ts';
export type {
  ComparedLatency,
  ComparedRequests,
  ComparedTokens,
  ErrorCount,
  ErrorDetails,
  GpuEnergy,
  GpuServer,
  GpuSummary,
  LoadGenerator,
  MergedShard,
  OverSaturation,
  ProfileExport,
  ProfileMetric,
  Queueing,
  Reconciliation,
  ReconciliationFinding,
  Recovered,
  RunInfo,
  ServerClock,
  Shard,
  TelemetryData,
  TelemetryEndpoint,
  TelemetrySummary,
} from './generated/profileExport.ts';
export type {
  MetricValue,
  ProfileRecord,
  RecordError,
  RecordMetadata,
  SpecDecodeAcceptance,
  TraceData,
} from './generated/profileRecord.ts';
export type {
  BestConfiguration,
  ProfileSweep,
  ServerSweepMetric,
  ServerSweepSeries,
  SweepMetadata,
  SweepMetric,
  SweepParameter,
  SweepVariation,
} from './generated/profileSweep.ts';
export type { ProfileTimeslice, ProfileTimeslices } from './generated/profileTimeslices.ts';
export type { LostValues, PushReport, Receiver } from './generated/push.ts';
export type { RawPacket, RawRecord, RawRecordMetadata, RawResponse } from './generated/rawRecord.ts';
export type { ResultsReady } from './generated/resultsReady.ts';
export type { RuleId } from './generated/ruleSeverities.ts';
export type {
  BoundarySummary,
  LimitResult,
  SearchHistory,
  SearchIteration,
  SearchTrial,
  SlaFilter,
  SlaTier,
  SlaTierResult,
} from './generated/searchHistory.ts';
export type {
  Buckets,
  CounterMetric,
  CounterSeries,
  CounterStats,
  CounterTimeslice,
  DataLoss,
  DerivedMetric,
  EndpointInfo,
  GaugeMetric,
  GaugeSeries,
  GaugeStats,
  GaugeTimeslice,
  HistogramIncrease,
  HistogramMetric,
  HistogramSeries,
  HistogramStats,
  HistogramTimeslice,
  Labels,
  Metric,
  Outage,
  PercentileBounds,
  PhaseTimeRange,
  ServerMetricsDocument,
  ServerMetricsSummary,
  UnusableMetric,
} from './generated/serverMetrics.ts';
export type {
  HistogramSample,
  RecordSample,
  ScalarSample,
  ServerMetricsRecord,
} from './generated/serverMetricsRecord.ts';
export type { RunTrend as TrendDocument } from './generated/trend.ts';
export { type FilePath, fromPath, type Input } from './source/input.ts';
export type { DocumentKind } from './validate/documentKind.ts';
export type { Issue, Severity } from './validate/issue.ts';
export { type ValidateInput, type ValidateOptions, type Validation, validate } from './validate/validate.ts';
export type { JournalCheck, JournalRule } from './validate/validateJournal.ts';
