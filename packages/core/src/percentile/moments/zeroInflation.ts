import { computeFirstVariance, type NormalEquations } from './bucketMeans.ts';
import { computeDensities, isIsolatedFirstBucket, type Prior } from './prior.ts';
import type { Sample } from './sample.ts';

/** Minimum ratio of the density of the first bucket to the density of the second bucket that suggests zeros. */
const MIN_DENSITY_RATIO = 2;
/** Assumed density of the nonzero observations in the first bucket, relative to the density of the second bucket. */
const NONZERO_DENSITY = 0.6;
/** Assumed mean of the nonzero observations, as a share of the bucket width. */
const NONZERO_MEAN = 0.55;
/** Prior probability that an isolated first bucket contains zeros. */
const ZERO_PROBABILITY_ISOLATED = 0.9;
/** Prior probability that any other first bucket contains zeros. */
const ZERO_PROBABILITY = 0.5;
/**
 * Assumed mean and standard deviation of the mean of an isolated first bucket without zeros, as shares of the
 * bucket width.
 */
const ISOLATED = { mean: 0.3, deviation: 0.25 };
/** Assumed standard deviation of the mean under a power law, as a share of the bucket width. */
const POWER_LAW_DEVIATION = 0.12;

/** A hypothesis about the mean of the first bucket, with its standard deviation. */
interface MeanHypothesis {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Reports whether the first bucket contains zeros (empty queues, cache hits) in addition to a smooth
 * distribution. Compares two hypotheses by the fitted mean: zeros plus the density of the second bucket, or a
 * power law through both buckets. If there are zeros, changes the prior of the first bucket in place.
 */
export function detectZeroInflation(
  sample: Sample,
  prior: Prior,
  equations: NormalEquations,
  mean: number,
): boolean {
  const width = sample.width[0]!;
  if (sample.bucket[0] !== 0 || sample.edges.lower[0] !== 0 || !(width > 0) || sample.totals.length < 3) {
    return false;
  }
  const densities = computeDensities(sample);
  const smoothCount =
    Number.isFinite(sample.edges.upper[1]!) && sample.totals[1]! > 0 ? densities[1]! * width : 0;
  if (sample.total[0]! <= MIN_DENSITY_RATIO * smoothCount) return false;
  const nonZeroShare = Math.min((NONZERO_DENSITY * smoothCount) / sample.total[0]!, 1);
  const withZeros = {
    mean: nonZeroShare * NONZERO_MEAN * width,
    deviation: (0.5 * nonZeroShare * NONZERO_MEAN + 0.02) * width,
  };
  const isIsolated = isIsolatedFirstBucket(sample, 0);
  const withoutZeros = isIsolated
    ? { mean: ISOLATED.mean * width, deviation: ISOLATED.deviation * width }
    : createPowerLawHypothesis(sample, width);
  const fitted = { mean, deviation: Math.sqrt(computeFirstVariance(equations)) };
  const probability = isIsolated ? ZERO_PROBABILITY_ISOLATED : ZERO_PROBABILITY;
  if (
    Math.log(probability / (1 - probability)) + computeLogLikelihood(withZeros, fitted) <=
    computeLogLikelihood(withoutZeros, fitted)
  )
    return false;
  prior.mean[0] = withZeros.mean;
  prior.meanDeviation[0] = withZeros.deviation;
  prior.variance[0] = Math.max(nonZeroShare / 3, 1e-6) * width * width;
  return true;
}

/** Creates the hypothesis that the density in the first two buckets is proportional to x^(k - 1). */
function createPowerLawHypothesis({ totals, edges }: Sample, width: number): MeanHypothesis {
  const ratio =
    Math.log((totals[0]! + totals[1]!) / totals[0]!) / Math.log(edges.upper[1]! / edges.upper[0]!);
  const k = Math.min(Math.max(ratio, 0.05), 1);
  return { mean: (k / (k + 1)) * width, deviation: POWER_LAW_DEVIATION * width };
}

/** Returns the log-likelihood of the fitted mean under a hypothesis. */
function computeLogLikelihood({ mean, deviation }: MeanHypothesis, fitted: MeanHypothesis): number {
  const variance = fitted.deviation ** 2 + deviation ** 2;
  return -0.5 * Math.log(variance) - (0.5 * (fitted.mean - mean) ** 2) / variance;
}
