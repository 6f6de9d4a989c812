export type { ReportFormat, RunValidateOptions } from './cli/options.ts';
export type {
  LegacyCounterSeries,
  LegacyEndpointInfo,
  LegacyGaugeSeries,
  LegacyHistogramSeries,
  LegacyMetric,
  LegacyServerMetricsDocument,
  LegacySummarySeries,
} from './generated/legacy.ts';
export type {
  AggregateMetadata,
  AggregateMetric,
  FailedRun,
  ProfileAggregate,
  ServerAggregateMetric,
  ServerAggregateSeries,
} from './generated/profile-aggregate.ts';
export type {
  CollatedMetadata,
  CollatedMetric,
  CollatedStats,
  ProfileCollated,
  RunStats,
} from './generated/profile-collated.ts';
export type {
  ComparedLatency,
  ComparedRequests,
  ComparedTokens,
  ErrorCount,
  ErrorDetails,
  LoadGenerator,
  ProfileExport,
  ProfileMetric,
  Queueing,
  Reconciliation,
  ReconciliationFinding,
  Recovered,
  RunInfo,
} from './generated/profile-export.ts';
export type {
  MetricValue,
  ProfileRecord,
  RecordError,
  RecordMetadata,
  TraceData,
} from './generated/profile-record.ts';
export type {
  BestConfiguration,
  ProfileSweep,
  ServerSweepMetric,
  ServerSweepSeries,
  SweepMetadata,
  SweepMetric,
  SweepParameter,
  SweepVariation,
} from './generated/profile-sweep.ts';
export type { ProfileTimeslice, ProfileTimeslices } from './generated/profile-timeslices.ts';
export type {
  HistogramSample,
  RecordSample,
  ScalarSample,
  ServerMetricsRecord,
} from './generated/record.ts';
export type {
  Buckets,
  CounterMetric,
  CounterSeries,
  CounterStats,
  CounterTimeslice,
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
  ServerMetricsDocument,
  ServerMetricsSummary,
} from './generated/server-metrics.ts';
export type { Issue, Severity } from './issue.ts';
export type { DocumentKind } from './recognise.ts';
export { runValidate } from './run-validate.ts';
export type { Input } from './source.ts';
export { type ValidateInput, type ValidateOptions, type Validation, validate } from './validate.ts';
