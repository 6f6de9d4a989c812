import { type BucketTable, toBucketTables } from '../../buckets.ts';
import { sum } from '../../math.ts';
import type { RunSlice } from '../../run/series.ts';
import { type Estimate, estimateFromSlices } from '../noise/estimate.ts';
import { testDrift } from './drift.ts';
import { runTransformedTest, type TestResult } from './significance.ts';

/** The minimum number of observations above the percentile that a run is expected to have. */
const MIN_TAIL = 4;

/**
 * The maximum factor between the share of observations above the bound and the share above the percentile. If the
 * buckets are wider, the bound is a different percentile.
 */
const MAX_SHARE_FACTOR = 10;

/** The buckets of the slices of one run that have observations. */
type SliceTables = readonly BucketTable[];

/** The result of a test of a percentile, or the reason why it was not tested. */
export type TailResult = TestResult | { readonly reason: string };

/**
 * Tests the difference of a percentile: compares the share of observations above a bound near the percentile of the
 * base. Percentiles of short slices are biased and often equal, because they are in the same bucket; shares are
 * neither.
 *
 * @param quantile the percentile as a fraction, from 0 to 1
 * @param difference the difference of the percentiles
 */
export function testTail(
  base: readonly RunSlice[],
  other: readonly RunSlice[],
  quantile: number,
  difference: number,
): TailResult {
  if (base.length === 0 && other.length === 0) return { reason: 'no timeslices' };
  const [from, to] = [readTables(base), readTables(other)];
  if (!from || !to) return { reason: 'timeslices without buckets' };
  if ([...from, ...to].some(({ bounds }) => !isEqual(bounds, from[0]!.bounds)))
    return { reason: 'different buckets' };
  const fewest = Math.min(...[from, to].map(tables => sum(tables.map(({ total }) => total))));
  if (fewest * Math.min(quantile, 1 - quantile) < MIN_TAIL)
    return { reason: `too few observations (${fewest}) for this percentile` };
  const index = findBound(from, quantile);
  if (index === undefined) return { reason: 'buckets are too wide for this percentile' };
  const tails = [from, to].map(tables => readTail(tables, index));
  const [shareFrom, shareTo] = estimateShares(tails);
  if (!shareFrom || !shareTo) return { reason: 'too few timeslices with observations' };
  return (
    testDrift({ values: tails[0]!.shares }, { values: tails[1]!.shares }, difference) ??
    runTransformedTest(shareFrom, shareTo, difference)
  );
}

function readTables(slices: readonly RunSlice[]): SliceTables | undefined {
  const tables = toBucketTables(slices.map(({ buckets }) => buckets)).filter(table => table !== undefined);
  return tables.length === 0 ? undefined : tables;
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/**
 * Finds the index of the bound above which the share of observations is closest to that above the percentile. Returns
 * undefined if there is no bound near the percentile.
 */
function findBound(tables: SliceTables, quantile: number): number | undefined {
  const [{ bounds }] = tables as [BucketTable];
  const total = sum(tables.map(table => table.total));
  let best: number | undefined;
  let smallest = Math.log(MAX_SHARE_FACTOR);
  for (const [index, bound] of bounds.entries()) {
    if (!Number.isFinite(bound)) continue;
    const above = total - sum(tables.map(({ counts }) => counts[index]!));
    const distance = Math.abs(Math.log((above + 0.5) / ((1 - quantile) * total)));
    if (distance >= smallest) continue;
    [best, smallest] = [index, distance];
  }
  return best;
}

/** The observations of a run above a bound, and their share in each timeslice. */
interface Tail {
  readonly above: number;
  readonly total: number;
  readonly shares: readonly number[];
  readonly weights: readonly number[];
}

function readTail(tables: SliceTables, index: number): Tail {
  return {
    above: sum(tables.map(({ total, counts }) => total - counts[index]!)),
    total: sum(tables.map(({ total }) => total)),
    shares: tables.map(({ total, counts }) => 1 - counts[index]! / total),
    weights: tables.map(({ total }) => total),
  };
}

/**
 * Estimates the share of observations above a bound in each run. The noise is at least that of independent
 * observations with the same share in both runs.
 */
function estimateShares(tails: readonly Tail[]): readonly (Estimate | undefined)[] {
  const pooled = sum(tails.map(({ above }) => above)) / sum(tails.map(({ total }) => total));
  return tails.map(({ above, total, shares, weights }) => {
    const estimate = estimateFromSlices(above / total, shares, weights);
    const minError = Math.sqrt((pooled * (1 - pooled)) / total);
    return estimate ? { ...estimate, error: Math.max(estimate.error, minError) } : undefined;
  });
}
