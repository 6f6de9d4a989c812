/**
 * In-memory storage of scraped Prometheus samples, and statistics over them: rates, percentiles, timeslices
 * and resets.
 */

export { ArrivalClock } from './arrivalClock.ts';
export type { Clock } from './clock.ts';
export { CREATED_SUFFIX, isEvidence, isTimeName } from './layout/evidence.ts';
export { formatLabelsKey, type Labels, sortLabels } from './layout/labels.ts';
export {
  type Family,
  type FamilyType,
  type HistogramSeries,
  Layout,
  type ScalarSeries,
  type Series,
  type Slot,
  type SlotRole,
  type SummarySeries,
} from './layout/layout.ts';
export {
  formatBytes,
  formatCount,
  formatDuration,
  formatNumber,
  formatPercent,
  formatRoundedDuration,
  formatValue,
} from './numberFormat.ts';
export { PacedResult } from './pacedResult.ts';
export { findParetoPoints } from './pareto.ts';
export type { HistogramWindow, PercentileEstimates, PercentileEstimator } from './percentile/estimator.ts';
export { estimateLinearPercentiles } from './percentile/linear.ts';
export { PERCENTILE_METHODS, type PercentileMethod } from './percentile/methods.ts';
export { estimateMomentsPercentiles } from './percentile/moments/moments.ts';
export {
  computePercentileBounds,
  type EstimateWarning,
  findEstimateWarning,
  type PercentileBounds,
  type PercentileInterval,
} from './percentile/percentileBounds.ts';
export { estimatePolynomialPercentiles } from './percentile/polynomial/polynomial.ts';
export type { ScrapeEvidence, UnknownStart } from './period/creation.ts';
export { computeIncreases, listCounterResets, listHistogramResets } from './period/increases.ts';
export { RestartDetector } from './period/restarts.ts';
export { SeriesHistories, type StartKnowledge } from './period/seriesHistories.ts';
export type { SeriesHistory } from './period/seriesHistory.ts';
export { shouldSlicePerInterval } from './period/timeslices.ts';
export {
  type Period,
  readHistogramWindow,
  readScalarWindow,
  resolveEndpointPeriod,
  type Window,
} from './period/window.ts';
export { hashText, Random } from './random.ts';
export { redactArguments, redactCommand } from './redaction/commandLine.ts';
export { isSecretName } from './redaction/secretNames.ts';
export { listSecretForms, REDACTED, SecretRedactor } from './redaction/secretRedactor.ts';
export { decodePercent, REDACTED_IN_URL, redactQuery, redactUrl } from './redaction/url.ts';
export {
  countShare,
  formatShard,
  isPartOfRun,
  isShard,
  MAX_SHARDS,
  parseShard,
  type Shard,
  selectShare,
  toRunNumber,
  WHOLE_RUN,
} from './shard.ts';
export { quoteShellPath, quoteShellWord } from './shellWord.ts';
export { computeChangeRates } from './statistics/changeRates.ts';
export type { CounterStatistics } from './statistics/counter.ts';
export { computeCompensatedSum } from './statistics/descriptive.ts';
export { computeGaugeStatistics } from './statistics/gauge.ts';
export type { HistogramResult, SeriesStatistics, SummaryResult } from './statistics/seriesResult.ts';
export { computeSeriesStatistics, type StatisticsOptions } from './statistics/seriesStatistics.ts';
export { computeEndpointInfo, computeUpdateIntervalNs } from './store/endpointInfo.ts';
export { EndpointStore, type Frame } from './store/endpointStore.ts';
export { findSampleGaps, type SampleGap } from './store/sampleGaps.ts';
export type { HistogramSamples, ScalarSamples } from './store/samples.ts';
export { type BlockStorage, StoreMemory } from './store/storeMemory.ts';
export { lowerBound, type Timeline, upperBound } from './store/timeline.ts';
export { describeSystemError } from './systemError.ts';
export { isTlsErrorCode } from './tlsErrorCode.ts';
export { inferUnit } from './units/inferUnit.ts';
