import type { PercentileEstimator } from './estimator.ts';
import { estimateLinearPercentiles } from './linear.ts';
import { estimateMomentsPercentiles } from './moments/moments.ts';
import { estimatePolynomialPercentiles } from './polynomial/polynomial.ts';

/** Percentile estimators by option name. */
export const PERCENTILE_METHODS: {
  readonly moments: PercentileEstimator;
  readonly polynomial: PercentileEstimator;
  readonly linear: PercentileEstimator;
} = {
  moments: estimateMomentsPercentiles,
  polynomial: estimatePolynomialPercentiles,
  linear: estimateLinearPercentiles,
};

/** The option name of a percentile estimator. */
export type PercentileMethod = keyof typeof PERCENTILE_METHODS;
