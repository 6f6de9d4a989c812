import { interpolatePercentile, toBucketTables } from '../buckets.ts';
import { mean } from '../math.ts';
import { type RunSlice, readStat, type SeriesType } from '../run/series.ts';
import {
  type Estimate,
  estimateFromRuns,
  estimateFromSlices,
  estimateSingle,
  MIN_SLICES,
} from './estimate.ts';
import type { MatchedSeries } from './matchSeries.ts';
import type { SeriesValues } from './rollup.ts';
import type { CompareSettings } from './settings.ts';
import { runMannWhitneyTest, runWelchTest, type TestResult } from './significance.ts';

/** The statistics that are compared by default, by type. */
export const DEFAULT_STATS: Readonly<Record<SeriesType, readonly string[]>> = {
  gauge: ['avg'],
  unknown: ['avg'],
  counter: ['rate'],
  histogram: ['avg', 'p99_estimate'],
  summary: ['avg'],
  client: ['avg', 'p99'],
};

/** The minimum number of observations of a slice for its percentiles to be used. */
const MIN_OBSERVATIONS = 20;

/** A statistic on one side of a comparison, with its uncertainty. */
export interface Side {
  readonly estimate: Estimate;
  /** One value per run. */
  readonly runs: readonly number[];
}

/**
 * Estimates a statistic on one side: the mean of its runs. The noise is estimated from the runs if there are
 * several, otherwise from the timeslices. Returns undefined if no run has the statistic.
 */
export function estimateSide(
  values: readonly (SeriesValues | undefined)[],
  stat: string,
  type: SeriesType,
): Side | undefined {
  const runs: number[] = [];
  let lastValues: SeriesValues | undefined;
  for (const entry of values) {
    const value = entry && readStat(entry, stat);
    if (value === undefined || !Number.isFinite(value)) continue;
    runs.push(value);
    lastValues = entry;
  }
  if (!lastValues) return undefined;
  if (runs.length > 1) return { estimate: estimateFromRuns(runs), runs };
  return {
    estimate: estimateNoiseFromSlices(lastValues, stat, type, runs[0]!) ?? estimateSingle(runs[0]!),
    runs,
  };
}

function estimateNoiseFromSlices(
  { slices }: SeriesValues,
  stat: string,
  type: SeriesType,
  value: number,
): Estimate | null {
  if (slices.length < MIN_SLICES) return null;
  if (stat === 'avg' && (type === 'histogram' || (type === 'client' && slices.some(({ count }) => count)))) {
    const observed = slices.filter(slice => (slice.count ?? 0) > 0 && slice.avg !== undefined);
    return estimateFromSlices(
      value,
      observed.map(slice => slice.avg!),
      observed.map(slice => slice.count!),
    );
  }
  const percent = type === 'histogram' ? /^p(\d+)_estimate$/.exec(stat) : null;
  if (percent) return estimatePercentileNoise(slices, Number(percent[1]) / 100, value);
  const values = slices.flatMap(slice => readSliceStat(slice, stat, type) ?? []);
  return values.length === slices.length ? estimateFromSlices(value, values) : null;
}

/** Estimates the noise of a percentile from the percentiles of the slices, scaled to the percentile of the run. */
function estimatePercentileNoise(
  slices: readonly RunSlice[],
  quantile: number,
  value: number,
): Estimate | null {
  const tables = toBucketTables(slices.map(({ buckets }) => buckets)).filter(
    table => table !== undefined && table.total >= MIN_OBSERVATIONS,
  );
  if (tables.length === 0) return null;
  const values = tables.map(table => interpolatePercentile(table!, quantile));
  const estimate = estimateFromSlices(value, values);
  const center = mean(values);
  if (!estimate || center <= 0) return estimate;
  // If the percentiles of all slices are equal, because they are in one bucket, the noise is unknown.
  if (estimate.error === 0) return null;
  const scale = value / center;
  return { ...estimate, error: estimate.error * scale, deviation: estimate.deviation * scale };
}

function readSliceStat(slice: RunSlice, stat: string, type: SeriesType): number | undefined {
  if (type === 'counter') return stat === 'rate' ? slice.rate : stat === 'total' ? slice.total : undefined;
  if (type === 'histogram') {
    const seconds = Number(slice.end_ns - slice.start_ns) / 1e9;
    if (stat === 'count_rate' && slice.count !== undefined) return slice.count_rate ?? slice.count / seconds;
    return stat === 'sum_rate' && slice.sum !== undefined ? slice.sum / seconds : undefined;
  }
  return stat === 'avg' ? slice.avg : undefined;
}

/**
 * A statistic of a series on both sides, and the result of its test. The p-value is not corrected for multiple
 * comparisons.
 */
export interface StatComparison {
  readonly match: MatchedSeries;
  readonly stat: string;
  readonly base: Side;
  readonly other: Side;
  readonly result: TestResult;
}

/** Compares a statistic of a series. Returns undefined if the statistic is missing on one side. */
export function compareStat(
  match: MatchedSeries,
  [baseValues, newValues]: readonly [MatchedSeries['values'], MatchedSeries['values']],
  stat: string,
  { test }: CompareSettings,
): StatComparison | undefined {
  const base = estimateSide(baseValues, stat, match.type);
  const other = base && estimateSide(newValues, stat, match.type);
  return other && { match, stat, base, other, result: testDifference(base, other, test) };
}

/**
 * Tests a difference. The rank test is used only with several runs on each side, because it requires independent
 * values and timeslices are correlated.
 */
function testDifference(base: Side, other: Side, test: CompareSettings['test']): TestResult {
  const result = runWelchTest(base.estimate, other.estimate);
  if (test === 'welch' || base.runs.length < 2 || other.runs.length < 2) return result;
  return { ...runMannWhitneyTest(base.runs, other.runs), margin: result.margin };
}

/** Reports whether a comparison is included in the correction for multiple comparisons. Equal constants are not. */
export function isTested(comparison: StatComparison): boolean {
  return comparison.result.p !== null && !areEqualConstants(comparison);
}

/** Reports whether both sides are constant and equal. */
export function areEqualConstants({ base, other }: StatComparison): boolean {
  return (
    base.estimate.error === 0 && other.estimate.error === 0 && base.estimate.mean === other.estimate.mean
  );
}
