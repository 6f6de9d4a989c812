import { boundsOf, bucketCounts, type PercentileBounds } from './bounds.ts';
import { type BucketEdges, bucketEdges } from './edges.ts';
import type { HistogramWindow, PercentileEstimates } from './estimator.ts';
import { extractIntervals } from './extract.ts';
import { increaseOf } from './increase.ts';
import { inStep, outOfStep, sumTolerance } from './instep.ts';
import type { Intervals } from './intervals.ts';
import { type Density, densityOf, type Known } from './moments/density.ts';
import { epochsOf } from './moments/epochs.ts';
import { exactRows } from './moments/exact.ts';
import { fitModel } from './moments/model.ts';
import { Pool } from './moments/pool.ts';
import { priorOf } from './moments/prior.ts';
import { type Sample, sampleOf } from './moments/sample.ts';
import { placeObservations } from './moments/tilt.ts';
import { forEachPercent, linearPercentile } from './percents.ts';

/**
 * Percentiles from all that the scrapes of a window prove or make likely: every interval between two scrapes tells the
 * exact sum of its observations, and how many fell into each bucket.
 *
 * Null without observations. Every estimate lies in the bucket that holds its rank.
 */
export function momentsPercentiles(window: HistogramWindow): PercentileEstimates | null {
  const edges = bucketEdges(window);
  const tolerance = sumTolerance(window);
  const scraped = extractIntervals(window, edges);
  const intervals = inStep(scraped, edges, tolerance);
  if (intervals.rows === 0) return null;
  const finite = withFiniteStart(edges, intervals);
  const pools = finite.upper.reduce<Pool[]>(all => [...all, new Pool()], []);
  const totals = new Float64Array(pools.length);
  for (const epoch of epochsOf(intervals, pools.length)) {
    const sample = sampleOf(intervals, epoch, finite, tolerance);
    for (const [bucket, count] of sample.totals.entries()) totals[bucket]! += count;
    poolSample(sample, pools);
  }
  const trusted = outOfStep(scraped, edges, tolerance) === 0;
  const bounds = boundsOf(edges, bucketCounts(edges), trusted ? increaseOf(window).sum : null, tolerance);
  return withinBounds(percentilesOf(pools, totals, edges, areIntegers(intervals)), bounds);
}

/** Fits one epoch and adds its observations to the buckets' pools. */
function poolSample(sample: Sample, pools: readonly Pool[]): void {
  const prior = priorOf(sample);
  const model = fitModel(sample, prior);
  const exact = exactRows(sample);
  const known = knownValues(sample, exact);
  const densities = known.map((values, bucket) => densityOf(sample, prior, model, bucket, values));
  const placed = placeObservations(sample, model, densities, exact);
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

/** By active bucket: the values of exact rows, equal ones taken together. */
function knownValues(sample: Sample, exact: Uint8Array): Known[] {
  const found: { value: number; times: number }[][] = sample.bucket.map(() => []);
  for (let row = 0; row < sample.rows; row += 1) {
    if (exact[row] !== 1) continue;
    const times = sample.size[row]!;
    found[sample.active[sample.start[row]!]!]!.push({ value: sample.sum[row]! / times, times });
  }
  return found.map(values => merged(values, 4 * sample.tolerance));
}

function merged(values: { value: number; times: number }[], tolerance: number): Known {
  values.sort((a, b) => a.value - b.value);
  const distinct: { value: number; times: number }[] = [];
  for (const { value, times } of values) {
    const last = distinct.at(-1);
    if (last !== undefined && value - last.value <= tolerance) last.times += times;
    else distinct.push({ value, times });
  }
  return {
    value: Float64Array.from(distinct, one => one.value),
    times: Float64Array.from(distinct, one => one.times),
  };
}

/** A first bucket without a lower edge gets one, far enough down for what the sum says of its mean. */
function withFiniteStart(edges: BucketEdges, intervals: Intervals): BucketEdges {
  const { lower, upper } = edges;
  if (Number.isFinite(lower[0]!)) return edges;
  const totals = new Float64Array(upper.length);
  intervals.bucket.forEach((bucket, at) => {
    totals[bucket]! += intervals.count[at]!;
  });
  let rest = intervals.sum.reduce((all, sum) => all + sum, 0);
  for (let bucket = 1; bucket < upper.length; bucket += 1) {
    const top = Number.isFinite(upper[bucket]!) ? upper[bucket]! : lower[bucket]!;
    rest -= (totals[bucket]! * (lower[bucket]! + top)) / 2;
  }
  const edge = upper[0]!;
  const width = Math.max(
    Number.isFinite(upper[1]!) ? upper[1]! - edge : 0,
    0.1 * Math.abs(edge),
    Number.MIN_VALUE,
  );
  const mean = totals[0]! > 0 ? rest / totals[0]! : edge;
  const start = lower.slice();
  start[0] = edge - Math.max(3 * (edge - mean), width);
  return { ...edges, lower: start };
}

/** Whether all observations seem to be whole numbers (tokens): every interval's sum is one. */
function areIntegers({ sum }: Intervals): boolean {
  return (
    sum.every(value => Math.abs(value - Math.round(value)) < 1e-6) && sum.some(value => Math.abs(value) >= 1)
  );
}

function percentilesOf(
  pools: readonly Pool[],
  totals: Float64Array,
  { lower, upper }: BucketEdges,
  integers: boolean,
): PercentileEstimates {
  const observations = totals.reduce((all, count) => all + count, 0);
  const at = (index: number): number => {
    let bucket = 0;
    let before = 0;
    while (bucket < totals.length - 1 && index >= before + totals[bucket]!) {
      before += totals[bucket]!;
      bucket += 1;
    }
    const value = pools[bucket]!.orderStatistic(index - before);
    return integers ? wholeNumber(value, lower[bucket]!, upper[bucket]!) : value;
  };
  let highest = Number.NEGATIVE_INFINITY;
  return forEachPercent(percent => {
    highest = Math.max(highest, linearPercentile(percent, observations, at));
    return highest;
  });
}

/** What the buckets and the sum allow is known better than any estimate. */
function withinBounds(estimates: PercentileEstimates, bounds: PercentileBounds | null): PercentileEstimates {
  if (bounds === null) return estimates;
  return forEachPercent(percent => {
    const [lower, upper] = bounds[`p${percent}`];
    return Math.min(Math.max(estimates[`p${percent}`], lower), upper);
  });
}

/** The nearest whole number of a bucket, or the value itself when there is none. */
function wholeNumber(value: number, lower: number, upper: number): number {
  const least = lower === 0 ? 0 : Math.floor(lower) + 1;
  const most = Math.floor(upper);
  return least > most ? value : Math.min(Math.max(Math.round(value), least), most);
}
