export { type AfterReads, ArrivalClock, type LoopTimes } from './arrivalClock.ts';
export type { Family, FamilyType } from './layout/family.ts';
export { type Labels, labelsKey, sortedLabels } from './layout/labels.ts';
export {
  type Bucket,
  type HistogramSeries,
  Layout,
  type Quantile,
  type ScalarSeries,
  type Series,
  type Slot,
  type SlotRole,
  type SummarySeries,
} from './layout/layout.ts';
export { formatBytes, formatCount, formatDuration, formatPercent, formatValue } from './numberFormat.ts';
export { findParetoPoints, type Tradeoff } from './pareto.ts';
export type {
  HistogramWindow,
  PercentileEstimates,
  PercentileEstimator,
} from './percentile/estimator.ts';
export { linearPercentiles } from './percentile/linear.ts';
export { PERCENTILE_METHODS, type PercentileMethod } from './percentile/methods.ts';
export { momentsPercentiles } from './percentile/moments/moments.ts';
export {
  doubtOf,
  type EstimateDoubt,
  type PercentileBounds,
  type PercentileInterval,
  percentileBounds,
} from './percentile/percentileBounds.ts';
export { polynomialPercentiles } from './percentile/polynomial/polynomial.ts';
export type { Period, PeriodEdges } from './period/period.ts';
export {
  fixedSlices,
  intervalSlices,
  type Slice,
  type Slices,
  slicesPerInterval,
} from './period/timeslices.ts';
export {
  effectivePeriod,
  histogramWindow,
  scalarWindow,
  type Window,
  type WindowSummary,
} from './period/window.ts';
export { hash, Random } from './random.ts';
export { redactArguments, redactCommand } from './redaction/commandLine.ts';
export { isSecretName } from './redaction/secretNames.ts';
export { listSecretForms, REDACTED, SecretRedactor } from './redaction/secretRedactor.ts';
export { decodePercent, REDACTED_IN_URL, redactQuery, redactUrl } from './redaction/url.ts';
export { type ChangeRates, changeRates } from './statistics/changeRates.ts';
export {
  type CounterSlice,
  type CounterStatistics,
  counterSlices,
  counterStatistics,
} from './statistics/counter.ts';
export { type GaugeSlice, type GaugeStatistics, gaugeSlices, gaugeStatistics } from './statistics/gauge.ts';
export {
  type BucketCounts,
  type EstimateStatistics,
  type HistogramIncrease,
  type HistogramSlice,
  type HistogramStatistics,
  type HistogramSummary,
  histogramSlices,
  histogramSummary,
} from './statistics/histogram.ts';
export {
  type CounterResult,
  type GaugeResult,
  type HistogramResult,
  type PercentileDoubts,
  type SeriesStatistics,
  type StatisticsOptions,
  type SummaryResult,
  seriesStatistics,
} from './statistics/seriesStatistics.ts';
export { type QuantileValues, type SummaryStatistics, summaryStatistics } from './statistics/summary.ts';
export { type EndpointInfo, endpointInfo, updateIntervalNs } from './store/endpointInfo.ts';
export { EndpointStore } from './store/endpointStore.ts';
export type { Frame } from './store/frame.ts';
export type { Bound, HistogramSamples, ScalarSamples, SummarySamples } from './store/samples.ts';
export { type BlockStorage, StoreMemory } from './store/storeMemory.ts';
export { lowerBound, type Timeline, upperBound } from './store/timeline.ts';
export { inferUnit, type UnitOptions } from './units/inferUnit.ts';
