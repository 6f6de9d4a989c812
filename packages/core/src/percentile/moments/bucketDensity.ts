import { lomax, smoothMasses, smoothWithZeros } from './bucketShape.ts';
import { type Density, withKnown } from './cellDensity.ts';
import { gridOf } from './cellGrid.ts';
import type { Known } from './exactValues.ts';
import type { Model } from './model.ts';
import type { Prior } from './prior.ts';
import type { Sample } from './sample.ts';

/** A variance much above this multiple of the squared mean (over the last bound) calls for a heavy tail in +Inf. */
const HEAVY = 1.3;
/** In +Inf one looks up to so many means beyond the edge. */
const REACH_MEANS = 14;
/** Nothing is thought narrower than this share of its bucket, and no mean nearer to an edge than the second one. */
const LEAST_DEVIATION = 1e-4;
const EDGE_DISTANCE = 1e-6;

/** The density of an active bucket from its mean and variance, the prior's shape, and the values that are known. */
export function densityOf(sample: Sample, prior: Prior, model: Model, bucket: number, known: Known): Density {
  const lower = sample.lower[bucket]!;
  const inf = sample.upper[bucket] === Number.POSITIVE_INFINITY;
  const upper = inf ? reachOfInf(sample, model, bucket, known) : sample.upper[bucket]!;
  if (!(upper > lower)) return point(lower);
  const width = upper - lower;
  const margin = EDGE_DISTANCE * width;
  const mean = Math.min(Math.max(model.mean[bucket]!, lower + margin), upper - margin);
  const own = model.variance[bucket]! * (1 - model.common[bucket]!);
  const variance = Math.max(own, (LEAST_DEVIATION * width) ** 2);
  const edges = gridOf(lower, upper, mean, Math.sqrt(variance), inf);
  const tolerance = 4 * sample.tolerance;
  if (inf && model.variance[bucket]! > HEAVY * (mean - lower) ** 2) {
    return withKnown(edges, lomax(edges, mean - lower, model.variance[bucket]!), 0, known, tolerance);
  }
  const shape = prior.shape[bucket] ?? null;
  if (bucket === 0 && model.zeros) {
    const { masses, zeros } = smoothWithZeros(edges, shape, model.mean[0]!);
    return withKnown(edges, masses, zeros, known, tolerance);
  }
  return withKnown(edges, smoothMasses(edges, shape, mean, variance), 0, known, tolerance);
}

function point(value: number): Density {
  const one = Float64Array.of(value);
  return { lower: one, upper: one, mass: Float64Array.of(1), cells: 0 };
}

/** Up to where +Inf is looked at. */
function reachOfInf(sample: Sample, model: Model, bucket: number, known: Known): number {
  const edge = sample.lower[bucket]!;
  const above = model.mean[bucket]! - edge;
  const seen = (known.value.at(-1) ?? edge) - edge;
  return edge + Math.max(REACH_MEANS * above, seen);
}
