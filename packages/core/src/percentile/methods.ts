import type { PercentileEstimator } from './estimator.ts';
import { linearPercentiles } from './linear.ts';
import { momentsPercentiles } from './moments/moments.ts';
import { polynomialPercentiles } from './polynomial/polynomial.ts';

/** The ways to estimate percentiles, by the names under which users choose them. */
export const PERCENTILE_METHODS: {
  readonly moments: PercentileEstimator;
  readonly polynomial: PercentileEstimator;
  readonly linear: PercentileEstimator;
} = {
  moments: momentsPercentiles,
  polynomial: polynomialPercentiles,
  linear: linearPercentiles,
};

export type PercentileMethod = keyof typeof PERCENTILE_METHODS;
