import jstat from 'jstat';
import { type Estimate, estimateFromRuns } from '../compare/noise/estimate.ts';
import { correctTests } from '../compare/significance/correction.ts';
import { runWelchTest } from '../compare/significance/significance.ts';
import { fitDrift } from './drift.ts';
import { estimateCommonCorrelation, widenEstimate } from './runCorrelation.ts';
import { type FoundSplit, findFirstSplit, findSplits, type SegmentSettings } from './segments.ts';
import type { TrendSettings } from './settings.ts';

const { studentt } = jstat.jStat;

/** The mean of the values between two change points, with its confidence interval. */
export interface Level {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** The number of values. */
  readonly runs: number;
}

/** A position in a series where the mean of the values changed. */
export interface ChangePoint {
  /** The index of the first value after the change. */
  readonly at: number;
  /** The p-value of the permutation test, not corrected for the number of metrics. */
  readonly p: number;
  readonly before: Level;
  readonly after: Level;
}

/** A change of the mean that continues over all values, so that no position of a change can be named. */
export interface Drift {
  readonly p: number;
  /** The first and the last value of the fitted line. */
  readonly from: number;
  readonly to: number;
}

/** The change points of a series, or its drift. */
export interface SeriesChanges {
  readonly points: readonly ChangePoint[];
  readonly drift?: Drift;
}

/** The change points of several series, and the test that they passed. */
export interface FoundChanges {
  /** By index of the series; undefined for a series that was not tested, because it is constant. */
  readonly series: readonly (SeriesChanges | undefined)[];
  /** The number of tested series, which p-values are corrected for. */
  readonly tested: number;
  /** The highest p-value of a change point: alpha, corrected for the number of tested series. */
  readonly level: number;
}

/** The settings of the search. */
type ChangeSettings = Pick<TrendSettings, 'alpha' | 'minChange' | 'minRuns' | 'permutations'>;

/** The settings of the confirmation that means differ. */
interface MeanSettings extends ChangeSettings {
  /** Alpha, corrected for the number of tested series. */
  readonly meanLevel: number;
  /** The correlation of neighboring runs that all metrics have in common, from 0 to 1. */
  readonly correlation: number;
}

/**
 * Finds the change points of several series. The first test of each series is corrected for the number of series
 * (Benjamini and Hochberg, 1995). In the series that have a change, further change points are tested at the corrected level
 * (Benjamini and Bogomolov, 2014). Series with the same values count once, such as of a metric with two names.
 *
 * A permutation test also finds a change of the spread. A point is only kept if the means differ by more than
 * `minChange`, and if Welch's test of both means is significant at `alpha`, corrected for the possible positions and the
 * number of series (Bonferroni), and for the correlation of neighboring runs. This also limits false alarms in series without a change if other series have one, which
 * the first correction does not.
 */
export function findChanges(series: readonly (readonly number[])[], settings: ChangeSettings): FoundChanges {
  const search: SegmentSettings = { minLength: settings.minRuns, permutations: settings.permutations };
  const first = series.map(values => findFirstSplit(values, search));
  const tests = new Map(
    first.flatMap((split, i) => (split ? [[series[i]!.join(' '), split.p] as const] : [])),
  );
  const [{ level } = { level: settings.alpha }] = correctTests([...tests.values()], 'bh', settings.alpha);
  const confirmation = {
    ...settings,
    meanLevel: settings.alpha / Math.max(1, tests.size),
    // A change that is not known yet would look like a correlation, so series with a change are left out.
    correlation: estimateCommonCorrelation(series.filter((_, i) => (first[i]?.p ?? 0) > level)),
  };
  return {
    series: series.map((values, i) => {
      const split = first[i];
      if (split === undefined) return undefined;
      if (split.p > level) return { points: [] };
      return findSeriesChanges(values, split, level, search, confirmation);
    }),
    tested: tests.size,
    level,
  };
}

function findSeriesChanges(
  values: readonly number[],
  first: FoundSplit,
  level: number,
  search: SegmentSettings,
  settings: MeanSettings,
): SeriesChanges {
  const points = keepChangedMeans(values, findSplits(values, level, search), settings);
  const line = points.length === 0 ? undefined : fitDrift(values, points);
  return line ? { points: [], drift: { ...line, p: first.p } } : { points };
}

/** Removes the change points whose means do not differ, least certain first, because this extends their neighbors. */
function keepChangedMeans(
  values: readonly number[],
  splits: readonly FoundSplit[],
  settings: MeanSettings,
): ChangePoint[] {
  const { alpha, meanLevel, minChange, minRuns, correlation } = settings;
  const estimates = estimateSegments(values, splits, correlation);
  const weakness = splits.map((_, i) => {
    const [before, after] = [estimates[i]!, estimates[i + 1]!];
    if (!isRelevant(before.mean, after.mean, minChange)) return 1;
    const { p } = runWelchTest(before, after);
    // The position was chosen among all possible ones because of its difference (Bonferroni).
    const positions = before.values + after.values - 2 * minRuns + 1;
    return p !== null && p * positions <= meanLevel ? 0 : (p ?? 1);
  });
  const weakest = weakness.indexOf(Math.max(...weakness));
  if (splits.length > 0 && weakness[weakest]! > 0)
    return keepChangedMeans(
      values,
      splits.filter((_, i) => i !== weakest),
      settings,
    );
  return splits.map(({ at, p }, i) => ({
    at,
    p,
    before: toLevel(estimates[i]!, alpha),
    after: toLevel(estimates[i + 1]!, alpha),
  }));
}

/** Estimates the means between change points. If neighboring runs are correlated, their errors are wider. */
function estimateSegments(
  values: readonly number[],
  splits: readonly FoundSplit[],
  correlation: number,
): Estimate[] {
  const edges = [0, ...splits.map(({ at }) => at), values.length];
  return edges
    .slice(1)
    .map((end, i) => widenEstimate(estimateFromRuns(values.slice(edges[i], end)), correlation));
}

function toLevel({ mean: center, error, degrees, values }: Estimate, alpha: number): Level {
  const margin = error === 0 ? 0 : studentt.inv(1 - alpha / 2, degrees) * error;
  return { mean: center, low: center - margin, high: center + margin, runs: values };
}

/** Reports whether a change is at least `minChange` of the first value. A change from 0 has no ratio. */
function isRelevant(from: number, to: number, minChange: number): boolean {
  return from === 0 ? to !== 0 : Math.abs(to - from) >= minChange * Math.abs(from);
}
