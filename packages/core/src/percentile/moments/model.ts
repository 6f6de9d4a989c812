import { createNormalEquations, solveBoundedMeans } from './bucketMeans.ts';
import { estimateIntervalCorrelation, MAX_CORRELATION } from './intervalCorrelation.ts';
import type { Prior } from './prior.ts';
import type { Sample } from './sample.ts';
import { detectZeroInflation } from './zeroInflation.ts';

/** Fitted moments of the active buckets. */
export interface Model {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  /** Share of the variance that the observations of an interval have in common (0 to 1), by bucket. */
  readonly common: Float64Array;
  /** Correlation of the observations of an interval, over all buckets (0 to 1). */
  correlation: number;
  /** True if the first bucket contains zeros in addition to a smooth distribution. */
  hasZeros: boolean;
}

/** Maximum number of alternating fits of means and variances. */
const MAX_ROUNDS = 10;
/** The round that tests for zero inflation; in earlier rounds, means are too inaccurate. */
const ZERO_TEST_ROUND = 4;
/** Fitting ends if a round changes at most this share of the total variance. */
const CONVERGENCE_TOLERANCE = 0.03;
/** Standard deviation of the normal prior of the log variance. */
const LOG_VARIANCE_DEVIATION = 1.5;
/** Limits of the relative change of a variance per round. */
const MIN_VARIANCE_FACTOR = 0.05;
const MAX_VARIANCE_FACTOR = 4;

/**
 * Alternately fits means (by bounded least squares over all intervals) and variances (from the residuals),
 * because variances determine the weights of the intervals in the fit of the means.
 */
export function fitModel(sample: Sample, prior: Prior): Model {
  const model: Model = {
    mean: prior.mean.map((mean, active) =>
      Math.min(Math.max(mean, sample.lower[active]!), sample.upper[active]!),
    ),
    variance: prior.variance.map(variance => Math.max(variance, 1e-30)),
    common: new Float64Array(prior.mean.length),
    correlation: 0,
    hasZeros: false,
  };
  const countCorrelation = estimateIntervalCorrelation(sample);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const expected = computeSumVariances(sample, model);
    const equations = createNormalEquations(sample, prior, expected);
    solveBoundedMeans(equations, sample, model.mean);
    if (round === ZERO_TEST_ROUND)
      model.hasZeros = detectZeroInflation(sample, prior, equations, model.mean[0]!);
    const before = model.variance.slice();
    fitVariances(sample, prior, model, expected, countCorrelation);
    if (round > ZERO_TEST_ROUND && computeChange(sample, before, model.variance) < CONVERGENCE_TOLERANCE)
      break;
  }
  return model;
}

/** Returns the change of the variances in a round, as a share of the total variance. */
function computeChange({ total }: Sample, before: Float64Array, after: Float64Array): number {
  let change = 0;
  let totalVariance = 0;
  for (let bucket = 0; bucket < total.length; bucket += 1) {
    change += total[bucket]! * Math.abs(after[bucket]! - before[bucket]!);
    totalVariance += total[bucket]! * before[bucket]!;
  }
  return change / totalVariance;
}

/** Computes the expected variance of each row's sum around the sum that follows from the bucket means. */
function computeSumVariances(sample: Sample, { variance, common }: Model): Float64Array {
  const { rows, start, active, count, sum, tolerance } = sample;
  const variances = new Float64Array(rows);
  for (let row = 0; row < rows; row += 1) {
    let total = tolerance * tolerance + 1e-18 * sum[row]! * sum[row]! + Number.MIN_VALUE;
    for (let at = start[row]!; at < start[row + 1]!; at += 1) {
      const bucket = active[at]!;
      total += variance[bucket]! * computeSumFactor(count[at]!, common[bucket]!);
    }
    variances[row] = total;
  }
  return variances;
}

/**
 * Returns the variance of the sum of n observations, relative to the variance of one observation: n if
 * `common` is 0, n^2 if it is 1.
 */
function computeSumFactor(count: number, common: number): number {
  return count * (1 - common) + count * count * common;
}

/** Takes one step of Fisher scoring for the log variances, with a prior. */
function fitVariances(
  sample: Sample,
  prior: Prior,
  model: Model,
  expected: Float64Array,
  countCorrelation: number,
): void {
  const { rows, start, active, count, sum } = sample;
  const size = model.mean.length;
  const gradient = new Float64Array(size);
  const information = new Float64Array(size);
  for (let row = 0; row < rows; row += 1) {
    let residual = sum[row]!;
    for (let at = start[row]!; at < start[row + 1]!; at += 1)
      residual -= count[at]! * model.mean[active[at]!]!;
    const relativeExcess = (residual * residual) / expected[row]! - 1;
    for (let at = start[row]!; at < start[row + 1]!; at += 1) {
      const bucket = active[at]!;
      const share =
        (model.variance[bucket]! * computeSumFactor(count[at]!, model.common[bucket]!)) / expected[row]!;
      gradient[bucket]! += 0.5 * share * relativeExcess;
      // Use the row sum of the Fisher matrix, not its diagonal: buckets share residuals and would all overshoot.
      information[bucket]! += 0.5 * share;
    }
  }
  const priorWeight = 1 / (LOG_VARIANCE_DEVIATION * LOG_VARIANCE_DEVIATION);
  const unboundedVariances = model.variance.map((variance, bucket) => {
    const totalGradient =
      gradient[bucket]! - priorWeight * Math.log(variance / Math.max(prior.variance[bucket]!, 1e-30));
    const step = totalGradient / (information[bucket]! + priorWeight);
    return variance * Math.min(Math.max(1 + step, MIN_VARIANCE_FACTOR), MAX_VARIANCE_FACTOR);
  });
  const maxVariances = unboundedVariances.map((_, bucket) =>
    computeMaxVariance(sample, bucket, model.mean[bucket]!),
  );
  fitCorrelation(sample, prior, model, unboundedVariances, maxVariances, countCorrelation);
  for (let bucket = 0; bucket < size; bucket += 1) {
    const minVariance = 1e-12 * prior.variance[bucket]!;
    model.variance[bucket] = Math.max(
      Math.min(unboundedVariances[bucket]!, maxVariances[bucket]!),
      minVariance,
      1e-300,
    );
  }
}

/**
 * Returns the largest variance that the bucket edges allow, but at most the variance of a uniform
 * distribution slightly wider than the bucket. For the +Inf bucket, returns Infinity.
 */
function computeMaxVariance({ lower, upper, width }: Sample, bucket: number, mean: number): number {
  const below = mean - lower[bucket]!;
  if (upper[bucket] === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  return Math.min(below * (upper[bucket]! - mean) + 1e-18, width[bucket]! ** 2 / 9);
}

/**
 * Updates the correlation. A variance above the maximum of its bucket indicates that the observations of an
 * interval are correlated.
 */
function fitCorrelation(
  sample: Sample,
  prior: Prior,
  model: Model,
  unboundedVariances: Float64Array,
  maxVariances: Float64Array,
  countCorrelation: number,
): void {
  const { total, observations, size } = sample;
  const otherCount = computeMeanOtherCount(size);
  if (otherCount === 0) return;
  let unboundedSum = 0;
  let boundedSum = 0;
  let mean = 0;
  let square = 0;
  let common = 0;
  for (let bucket = 0; bucket < total.length; bucket += 1) {
    const count = total[bucket]!;
    if (Number.isFinite(sample.upper[bucket]!)) {
      unboundedSum += count * unboundedVariances[bucket]!;
      boundedSum += count * Math.min(unboundedVariances[bucket]!, maxVariances[bucket]!);
    }
    mean += (count * model.mean[bucket]!) / observations;
    square += (count * (model.variance[bucket]! + model.mean[bucket]! ** 2)) / observations;
    common += (count * model.common[bucket]!) / observations;
  }
  let target = countCorrelation;
  const excess = boundedSum > 0 ? unboundedSum / boundedSum : 0;
  if (excess > 1) target = Math.max(target, (excess * (1 + otherCount * common) - 1) / otherCount);
  model.correlation = 0.5 * model.correlation + 0.5 * Math.min(Math.max(target, 0), MAX_CORRELATION);
  const within = Math.max((1 - model.correlation) * (square - mean * mean), 1e-300);
  for (let bucket = 0; bucket < total.length; bucket += 1) {
    const expectedVariance = 1 / (1 / Math.max(prior.variance[bucket]!, 1e-300) + 1 / within);
    const share =
      expectedVariance / Math.max(Math.min(unboundedVariances[bucket]!, maxVariances[bucket]!), 1e-300);
    model.common[bucket] = 1 - Math.min(Math.max(share, 1 - model.correlation), 1);
  }
}

/** Returns the mean number of other observations in the interval of an observation. */
function computeMeanOtherCount(size: Float64Array): number {
  let pairs = 0;
  let observations = 0;
  for (let row = 0; row < size.length; row += 1) {
    pairs += size[row]! * (size[row]! - 1);
    observations += size[row]!;
  }
  return pairs / observations;
}
