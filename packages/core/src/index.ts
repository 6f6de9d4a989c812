export { type AfterReads, ArrivalClock, type LoopTimes } from './arrivalclock.ts';
export { type ChangeRates, changeRates } from './changerates.ts';
export { type CounterSlice, type CounterStatistics, counterSlices, counterStatistics } from './counter.ts';
export { type EndpointInfo, endpointInfo, updateIntervalNs } from './endpoint.ts';
export type { Family, FamilyType } from './family.ts';
export type { Frame } from './frame.ts';
export { type GaugeSlice, type GaugeStatistics, gaugeSlices, gaugeStatistics } from './gauge.ts';
export {
  type BucketCounts,
  type EstimateStatistics,
  type HistogramIncrease,
  type HistogramSlice,
  type HistogramStatistics,
  type HistogramSummary,
  histogramSlices,
  histogramSummary,
} from './histogram.ts';
export { type Labels, labelsKey, sortedLabels } from './labels.ts';
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
} from './layout.ts';
export { bytes, counted, figure, percentage, time } from './numberFormat.ts';
export { paretoPoints, type Tradeoff } from './pareto.ts';
export {
  doubtOf,
  type EstimateDoubt,
  type PercentileBounds,
  type PercentileInterval,
  percentileBounds,
} from './percentile/bounds.ts';
export type {
  HistogramWindow,
  PercentileEstimates,
  PercentileEstimator,
} from './percentile/estimator.ts';
export { linearPercentiles } from './percentile/linear.ts';
export { PERCENTILE_METHODS, type PercentileMethod } from './percentile/methods.ts';
export { momentsPercentiles } from './percentile/moments.ts';
export { polynomialPercentiles } from './percentile/polynomial.ts';
export type { Period, PeriodEdges } from './period.ts';
export { hash, Random } from './random.ts';
export { redactArguments, redactCommand } from './redaction/commandLine.ts';
export { isSecretName } from './redaction/secretNames.ts';
export { listSecretForms, REDACTED, SecretRedactor } from './redaction/secretRedactor.ts';
export { decodePercent, REDACTED_IN_URL, redactQuery, redactUrl } from './redaction/url.ts';
export type { Bound, HistogramSamples, ScalarSamples, SummarySamples } from './samples.ts';
export { fixedSlices, intervalSlices, type Slice, type Slices, slicesPerInterval } from './slices.ts';
export {
  type CounterResult,
  type GaugeResult,
  type HistogramResult,
  type PercentileDoubts,
  type SeriesStatistics,
  type StatisticsOptions,
  type SummaryResult,
  seriesStatistics,
} from './statistics.ts';
export { type BlockStorage, StoreMemory } from './store/memory.ts';
export { EndpointStore } from './store.ts';
export { type QuantileValues, type SummaryStatistics, summaryStatistics } from './summary.ts';
export { lowerBound, type Timeline, upperBound } from './timeline.ts';
export { inferUnit, type UnitOptions } from './units.ts';
export { effectivePeriod, histogramWindow, scalarWindow, type Window, type WindowSummary } from './window.ts';
