import type { HistogramWindow, PercentileEstimates } from '../estimator.ts';
import { type PercentileBounds, percentileBounds } from '../percentileBounds.ts';
import { forEachPercent } from '../percents.ts';
import { inStep } from '../sumConsistency.ts';
import { scrapedWindow } from '../windowIntervals.ts';
import { densityOf } from './bucketDensity.ts';
import type { Density } from './cellDensity.ts';
import { epochsOf } from './epochs.ts';
import { exactValues } from './exactValues.ts';
import { fitModel } from './model.ts';
import { areIntegers, Pool, pooledPercentiles } from './pool.ts';
import { priorOf } from './prior.ts';
import { type Sample, sampleOf, withFiniteStart } from './sample.ts';
import { scaledToAll, thinned } from './thinning.ts';
import { placeObservations } from './tilting.ts';

/**
 * Our own method. Percentiles from all that the scrapes of a window prove or make likely: every interval between two scrapes tells the
 * exact sum of its observations, and how many fell into each bucket. In short:
 *
 * 1. cut the run where its distribution changes (epochs), and in each epoch:
 * 2. take what is known exactly (an interval of one observation is that observation);
 * 3. find bucket means by bounded least squares over all intervals, and variances from what they leave over;
 * 4. give each bucket the density that has these moments and the slope of its neighbours;
 * 5. tilt it, interval by interval, until the interval's expected sum is the true one;
 * 6. read order statistics off the pooled observations.
 *
 * Of an hour's intervals the model sees some, evenly spread, and all rare ones (see thinning); exact observations are
 * taken from all.
 *
 * Intervals whose sum cannot be that of their observations are joined with a neighbour first. Cost: linear in the
 * scrapes, about 1 ms for 200 scrapes of 22 buckets.
 *
 * Null without observations. Every estimate lies in the bucket that holds its rank.
 */
export function momentsPercentiles(window: HistogramWindow): PercentileEstimates | null {
  const { edges, tolerance, intervals: scraped, range } = scrapedWindow(window);
  const intervals = inStep(scraped, range, edges, tolerance);
  if (intervals.rows === 0) return null;
  const finite = withFiniteStart(edges, intervals);
  const pools = Array.from(finite.upper, () => new Pool());
  const totals = new Float64Array(pools.length);
  for (const epoch of epochsOf(intervals, pools.length)) {
    const sample = sampleOf(intervals, epoch, finite, tolerance);
    for (const [bucket, count] of sample.totals.entries()) totals[bucket]! += count;
    poolSample(sample, pools);
  }
  return withinBounds(
    pooledPercentiles(pools, totals, edges, areIntegers(intervals)),
    percentileBounds(window),
  );
}

/** Fits one epoch and adds its observations to the buckets' pools. */
function poolSample(sample: Sample, pools: readonly Pool[]): void {
  const prior = priorOf(sample);
  const some = thinned(sample);
  const model = fitModel(some.sample, prior);
  const { rows, known } = exactValues(sample);
  const densities = known.map((values, bucket) => densityOf(sample, prior, model, bucket, values));
  const exact = Uint8Array.from(some.rows, row => rows[row]!);
  const placed = placeObservations(some.sample, model, densities, exact);
  if (some.sample.rows < sample.rows) scaledToAll(placed, sample, known, densities);
  for (const [active, bucket] of sample.bucket.entries()) {
    addDensity(pools[bucket]!, densities[active]!, placed[active]!);
    known[active]!.value.forEach((value, at) => {
      pools[bucket]!.add(value, value, known[active]!.times[at]!);
    });
  }
}

function addDensity(pool: Pool, { lower, upper }: Density, placed: Float64Array): void {
  for (let cell = 0; cell < placed.length; cell += 1) pool.add(lower[cell]!, upper[cell]!, placed[cell]!);
}

/** What the buckets and the sum allow is known better than any estimate. */
function withinBounds(estimates: PercentileEstimates, bounds: PercentileBounds | null): PercentileEstimates {
  if (bounds === null) return estimates;
  return forEachPercent(percent => {
    const [lower, upper] = bounds[`p${percent}`];
    return Math.min(Math.max(estimates[`p${percent}`], lower), upper);
  });
}
