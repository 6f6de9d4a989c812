import { createLomaxMasses, createSmoothMasses, createZeroInflatedMasses } from './bucketShape.ts';
import { blendKnownValues, type Density } from './cellDensity.ts';
import { createCellGrid } from './cellGrid.ts';
import type { KnownValues } from './exactValues.ts';
import type { Model } from './model.ts';
import type { Prior } from './prior.ts';
import type { Sample } from './sample.ts';

/**
 * In the +Inf bucket, a variance above this multiple of the squared distance of the mean from the last bound
 * is a heavy tail.
 */
const HEAVY_TAIL_RATIO = 1.3;
/** Minimum length of the grid in the +Inf bucket, as a multiple of the distance between the mean and the last bound. */
const INF_GRID_REACH = 14;
/** Minimum standard deviation, as a share of the bucket width. */
const MIN_DEVIATION = 1e-4;
/** Minimum distance of the mean from the edges, as a share of the bucket width. */
const MIN_EDGE_DISTANCE = 1e-6;

/**
 * Estimates the density of an active bucket from its fitted mean and variance, its prior shape and its known
 * values.
 */
export function estimateDensity(
  sample: Sample,
  prior: Prior,
  model: Model,
  bucket: number,
  known: KnownValues,
): Density {
  const lower = sample.lower[bucket]!;
  const isInf = sample.upper[bucket] === Number.POSITIVE_INFINITY;
  const upper = isInf ? findInfGridEnd(sample, model, bucket, known) : sample.upper[bucket]!;
  if (!(upper > lower)) return createPoint(lower);
  const width = upper - lower;
  const margin = MIN_EDGE_DISTANCE * width;
  const mean = Math.min(Math.max(model.mean[bucket]!, lower + margin), upper - margin);
  const independentVariance = model.variance[bucket]! * (1 - model.common[bucket]!);
  const variance = Math.max(independentVariance, (MIN_DEVIATION * width) ** 2);
  const edges = createCellGrid(lower, upper, mean, Math.sqrt(variance), isInf);
  const tolerance = 4 * sample.tolerance;
  if (isInf && model.variance[bucket]! > HEAVY_TAIL_RATIO * (mean - lower) ** 2) {
    return blendKnownValues(
      edges,
      createLomaxMasses(edges, mean - lower, model.variance[bucket]!),
      0,
      known,
      tolerance,
    );
  }
  const shape = prior.shape[bucket] ?? null;
  if (bucket === 0 && model.hasZeros) {
    const { masses, zeros } = createZeroInflatedMasses(edges, shape, model.mean[0]!);
    return blendKnownValues(edges, masses, zeros, known, tolerance);
  }
  return blendKnownValues(edges, createSmoothMasses(edges, shape, mean, variance), 0, known, tolerance);
}

/** Creates a density with all of its mass at one value. */
function createPoint(value: number): Density {
  const point = Float64Array.of(value);
  return { lower: point, upper: point, mass: Float64Array.of(1), cells: 0 };
}

/** Finds the upper end of the grid in the +Inf bucket. */
function findInfGridEnd(sample: Sample, model: Model, bucket: number, known: KnownValues): number {
  const edge = sample.lower[bucket]!;
  const meanDistance = model.mean[bucket]! - edge;
  const largestKnown = (known.value.at(-1) ?? edge) - edge;
  return edge + Math.max(INF_GRID_REACH * meanDistance, largestKnown);
}
