export type { Family, FamilyType } from './family.ts';
export type { Frame } from './frame.ts';
export { type Labels, labelsKey, sortedLabels } from './labels.ts';
export {
  type Bucket,
  type HistogramSeries,
  Layout,
  type Quantile,
  type ScalarSeries,
  type Series,
  type Slot,
  type SummarySeries,
} from './layout.ts';
export type {
  HistogramWindow,
  PercentileEstimates,
  PercentileEstimator,
} from './percentile/estimator.ts';
export { linearPercentiles } from './percentile/linear.ts';
export { PERCENTILE_METHODS, type PercentileMethod } from './percentile/methods.ts';
export { polynomialPercentiles } from './percentile/polynomial.ts';
export type { Period } from './period.ts';
export type { Bound, HistogramSamples, ScalarSamples, SummarySamples } from './samples.ts';
export { EndpointStore } from './store.ts';
export { lowerBound, type Timeline, upperBound } from './timeline.ts';
