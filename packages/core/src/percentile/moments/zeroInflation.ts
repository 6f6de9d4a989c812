import { type NormalEquations, varianceOfFirst } from './bucketMeans.ts';
import { densities, type Prior, standsAlone } from './prior.ts';
import type { Sample } from './sample.ts';

/** Only a first bucket this many times as dense as the second can hide zeros. */
const LEAST_EXCESS = 2;
/** Observations above 0 in the first bucket are as dense as this share of the second bucket. */
const DENSITY_ABOVE_ZERO = 0.6;
/** Where the mean of those lies, in widths. */
const PLACE_ABOVE_ZERO = 0.55;
/** The belief in zeros before looking at sums, for a first bucket that stands alone and for others. */
const BELIEF_ALONE = 0.9;
const BELIEF = 0.5;
/** Mean and standard deviation of a first bucket that stands alone, without zeros, in widths. */
const ALONE = { mean: 0.3, deviation: 0.25 };
const POWER_LAW_DEVIATION = 0.12;

interface Explanation {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Whether the first bucket holds zeros (empty queues, cache hits) beside a smooth rest. Two explanations of its
 * count compete: zeros on top of what the second bucket lets one expect, or a power law through both buckets; the
 * mean that the sums give decides. When it is zeros, the prior is replaced in place.
 */
export function believeZeros(
  sample: Sample,
  prior: Prior,
  equations: NormalEquations,
  mean: number,
): boolean {
  const width = sample.width[0]!;
  if (sample.bucket[0] !== 0 || sample.edges.lower[0] !== 0 || !(width > 0) || sample.totals.length < 3) {
    return false;
  }
  const heights = densities(sample);
  const smooth = Number.isFinite(sample.edges.upper[1]!) && sample.totals[1]! > 0 ? heights[1]! * width : 0;
  if (sample.total[0]! <= LEAST_EXCESS * smooth) return false;
  const above = Math.min((DENSITY_ABOVE_ZERO * smooth) / sample.total[0]!, 1);
  const zeros = {
    mean: above * PLACE_ABOVE_ZERO * width,
    deviation: (0.5 * above * PLACE_ABOVE_ZERO + 0.02) * width,
  };
  const alone = standsAlone(sample, 0);
  const other = alone
    ? { mean: ALONE.mean * width, deviation: ALONE.deviation * width }
    : powerLaw(sample, width);
  const seen = { mean, deviation: Math.sqrt(varianceOfFirst(equations)) };
  const belief = alone ? BELIEF_ALONE : BELIEF;
  if (Math.log(belief / (1 - belief)) + fit(zeros, seen) <= fit(other, seen)) return false;
  prior.mean[0] = zeros.mean;
  prior.slack[0] = zeros.deviation;
  prior.variance[0] = Math.max(above / 3, 1e-6) * width * width;
  return true;
}

/** A density of x^(k - 1) through the first two buckets. */
function powerLaw({ totals, edges }: Sample, width: number): Explanation {
  const ratio =
    Math.log((totals[0]! + totals[1]!) / totals[0]!) / Math.log(edges.upper[1]! / edges.upper[0]!);
  const k = Math.min(Math.max(ratio, 0.05), 1);
  return { mean: (k / (k + 1)) * width, deviation: POWER_LAW_DEVIATION * width };
}

/** Log-likelihood of what was seen. */
function fit({ mean, deviation }: Explanation, seen: Explanation): number {
  const variance = seen.deviation ** 2 + deviation ** 2;
  return -0.5 * Math.log(variance) - (0.5 * (seen.mean - mean) ** 2) / variance;
}
