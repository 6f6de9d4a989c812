import { normalEquations, solveBounded } from './bucketMeans.ts';
import { correlationOfCounts, MOST_CORRELATION } from './intervalCorrelation.ts';
import type { Prior } from './prior.ts';
import type { Sample } from './sample.ts';
import { believeZeros } from './zeroInflation.ts';

/** Mean and spread of the active buckets. */
export interface Model {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  /** By bucket: the share of the variance that the observations of one interval have in common (0 to 1). */
  readonly common: Float64Array;
  /** How alike the observations of an interval are over all buckets (0 to 1). */
  correlation: number;
  /** Whether the first bucket holds zeros beside a smooth rest. */
  zeros: boolean;
}

const ROUNDS = 10;
/** In this round the means are settled enough to ask for zeros. */
const ZEROS_ROUND = 4;
/** Means and variances count as found when a round moves no more than this share of all variance. */
const SETTLED = 0.03;
/** The prior of ln variance: a normal distribution with this standard deviation. */
const VARIANCE_SLACK = 1.5;
/** In one round a variance changes by no more than these factors. */
const LEAST_FACTOR = 0.05;
const MOST_FACTOR = 4;

/**
 * Means by bounded least squares over all intervals, then variances from what the means leave over, in turns: each
 * weighs the intervals for the other.
 */
export function fitModel(sample: Sample, prior: Prior): Model {
  const model: Model = {
    mean: prior.mean.map((mean, active) =>
      Math.min(Math.max(mean, sample.lower[active]!), sample.upper[active]!),
    ),
    variance: prior.variance.map(variance => Math.max(variance, 1e-30)),
    common: new Float64Array(prior.mean.length),
    correlation: 0,
    zeros: false,
  };
  const inCounts = correlationOfCounts(sample);
  for (let round = 0; round < ROUNDS; round += 1) {
    const expected = sumVariances(sample, model);
    const equations = normalEquations(sample, prior, expected);
    solveBounded(equations, sample, model.mean);
    if (round === ZEROS_ROUND) model.zeros = believeZeros(sample, prior, equations, model.mean[0]!);
    const before = model.variance.slice();
    fitVariances(sample, prior, model, expected, inCounts);
    if (round > ZEROS_ROUND && changeOf(sample, before, model.variance) < SETTLED) break;
  }
  return model;
}

/** Of all observations' variance, the share that a round moved. */
function changeOf({ total }: Sample, before: Float64Array, after: Float64Array): number {
  let moved = 0;
  let all = 0;
  for (let bucket = 0; bucket < total.length; bucket += 1) {
    moved += total[bucket]! * Math.abs(after[bucket]! - before[bucket]!);
    all += total[bucket]! * before[bucket]!;
  }
  return moved / all;
}

/** By row: what the sum may be off by, squared, when the bucket means are right. */
function sumVariances(sample: Sample, { variance, common }: Model): Float64Array {
  const { rows, start, active, count, sum, tolerance } = sample;
  const variances = new Float64Array(rows);
  for (let row = 0; row < rows; row += 1) {
    let total = tolerance * tolerance + 1e-18 * sum[row]! * sum[row]! + Number.MIN_VALUE;
    for (let at = start[row]!; at < start[row + 1]!; at += 1) {
      const bucket = active[at]!;
      total += variance[bucket]! * copies(count[at]!, common[bucket]!);
    }
    variances[row] = total;
  }
  return variances;
}

/** Of n observations with a common part: n times the variance when that is 0, n^2 times when it is 1. */
function copies(count: number, common: number): number {
  return count * (1 - common) + count * count * common;
}

/** One step of Fisher scoring on the logarithms of the variances, each held near its prior. */
function fitVariances(
  sample: Sample,
  prior: Prior,
  model: Model,
  expected: Float64Array,
  inCounts: number,
): void {
  const { rows, start, active, count, sum } = sample;
  const size = model.mean.length;
  const gradient = new Float64Array(size);
  const information = new Float64Array(size);
  for (let row = 0; row < rows; row += 1) {
    let left = sum[row]!;
    for (let at = start[row]!; at < start[row + 1]!; at += 1) left -= count[at]! * model.mean[active[at]!]!;
    const surprise = (left * left) / expected[row]! - 1;
    for (let at = start[row]!; at < start[row + 1]!; at += 1) {
      const bucket = active[at]!;
      const share = (model.variance[bucket]! * copies(count[at]!, model.common[bucket]!)) / expected[row]!;
      gradient[bucket]! += 0.5 * share * surprise;
      // The row sum of Fisher's matrix, not its diagonal: buckets share residuals, and would overshoot together.
      information[bucket]! += 0.5 * share;
    }
  }
  const trust = 1 / (VARIANCE_SLACK * VARIANCE_SLACK);
  const free = model.variance.map((variance, bucket) => {
    const pull = gradient[bucket]! - trust * Math.log(variance / Math.max(prior.variance[bucket]!, 1e-30));
    const step = pull / (information[bucket]! + trust);
    return variance * Math.min(Math.max(1 + step, LEAST_FACTOR), MOST_FACTOR);
  });
  const most = free.map((_, bucket) => largestVariance(sample, bucket, model.mean[bucket]!));
  fitCorrelation(sample, prior, model, free, most, inCounts);
  for (let bucket = 0; bucket < size; bucket += 1) {
    const least = 1e-12 * prior.variance[bucket]!;
    model.variance[bucket] = Math.max(Math.min(free[bucket]!, most[bucket]!), least, 1e-300);
  }
}

/** What the bucket's edges allow, and no more than an even spread over somewhat more than its width. */
function largestVariance({ lower, upper, width }: Sample, bucket: number, mean: number): number {
  const below = mean - lower[bucket]!;
  if (upper[bucket] === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  return Math.min(below * (upper[bucket]! - mean) + 1e-18, width[bucket]! ** 2 / 9);
}

/** A variance beyond what a bucket can hold shows that the observations of an interval have something in common. */
function fitCorrelation(
  sample: Sample,
  prior: Prior,
  model: Model,
  free: Float64Array,
  most: Float64Array,
  inCounts: number,
): void {
  const { total, observations, size } = sample;
  const alike = companions(size);
  if (alike === 0) return;
  let wanted = 0;
  let allowed = 0;
  let mean = 0;
  let square = 0;
  let common = 0;
  for (let bucket = 0; bucket < total.length; bucket += 1) {
    const count = total[bucket]!;
    if (Number.isFinite(sample.upper[bucket]!)) {
      wanted += count * free[bucket]!;
      allowed += count * Math.min(free[bucket]!, most[bucket]!);
    }
    mean += (count * model.mean[bucket]!) / observations;
    square += (count * (model.variance[bucket]! + model.mean[bucket]! ** 2)) / observations;
    common += (count * model.common[bucket]!) / observations;
  }
  let target = inCounts;
  const excess = allowed > 0 ? wanted / allowed : 0;
  if (excess > 1) target = Math.max(target, (excess * (1 + alike * common) - 1) / alike);
  model.correlation = 0.5 * model.correlation + 0.5 * Math.min(Math.max(target, 0), MOST_CORRELATION);
  const within = Math.max((1 - model.correlation) * (square - mean * mean), 1e-300);
  for (let bucket = 0; bucket < total.length; bucket += 1) {
    const inBucket = 1 / (1 / Math.max(prior.variance[bucket]!, 1e-300) + 1 / within);
    const share = inBucket / Math.max(Math.min(free[bucket]!, most[bucket]!), 1e-300);
    model.common[bucket] = 1 - Math.min(Math.max(share, 1 - model.correlation), 1);
  }
}

/** How many others an observation has in its interval, on average over the intervals at hand. */
function companions(size: Float64Array): number {
  let pairs = 0;
  let observations = 0;
  for (let row = 0; row < size.length; row += 1) {
    pairs += size[row]! * (size[row]! - 1);
    observations += size[row]!;
  }
  return pairs / observations;
}
