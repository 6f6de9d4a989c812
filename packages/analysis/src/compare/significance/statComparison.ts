import { readStat, type SeriesType } from '../../run/series.ts';
import { toUpperRate } from '../../run/statisticsWindow.ts';
import type { RunLengths } from '../conditions/runLengths.ts';
import type { MatchedSeries } from '../matching/matchSeries.ts';
import { isRunTotal } from '../noise/runTotal.ts';
import { estimateSide, type Side } from '../noise/side.ts';
import type { SliceSample } from '../noise/sliceSample.ts';
import type { CompareSettings } from '../settings.ts';
import { testDrift } from './drift.ts';
import { testEventCounts } from './eventCounts.ts';
import { testGrowth } from './growth.ts';
import { testLateChange } from './lateChange.ts';
import { testRepeats } from './repeatTest.ts';
import { testSeparation } from './separation.ts';
import { createResult, runWelchTest, type TestResult, UNTESTED } from './significance.ts';
import { testTail } from './tailTest.ts';
import { findUntestedReason } from './untestedReason.ts';

/** The statistics that are compared by default, by type. */
export const DEFAULT_STATS: Readonly<Record<SeriesType, readonly string[]>> = {
  gauge: ['avg'],
  unknown: ['avg'],
  counter: ['rate'],
  histogram: ['avg', 'p99_estimate'],
  summary: ['avg'],
  client: ['avg', 'p99'],
  derived: ['value'],
};

/**
 * The test of a row. `events`: an exact test of events that occurred on only one side. `growth`: of two runs that drift.
 * `late`: of the end of a run.
 */
export type RowTest =
  | 'welch'
  | 'mann-whitney'
  | 'drift'
  | 'separation'
  | 'growth'
  | 'late'
  | 'tail'
  | 'events';

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
  /** The test that was run; null if none was. */
  readonly test: RowTest | null;
  /** The reason why no test was run; null if one was, or if both sides are equal. */
  readonly reason: string | null;
}

/** Properties of the runs that restrict which statistics are comparable. */
export interface RunConditions extends RunLengths {
  /** Whether the periods of server metrics differ, so that rates of servers are not comparable. */
  readonly haveDifferentWindows: boolean;
}

/** Compares a statistic of a series. Returns undefined if the statistic is missing on one side. */
export function compareStat(
  match: MatchedSeries,
  [baseValues, newValues]: readonly [MatchedSeries['values'], MatchedSeries['values']],
  stat: string,
  { test }: CompareSettings,
  conditions: RunConditions,
): StatComparison | undefined {
  const base = estimateSide(baseValues, stat, match);
  const other = base && estimateSide(newValues, stat, match);
  if (!other) return undefined;
  const pair: Pair = { match, stat, base, other };
  const outcome = testEvents(pair, conditions) ?? testDifference(pair, test, conditions);
  return { match, stat, base, other, result: outcome.result, test: outcome.test, reason: outcome.reason };
}

type Pair = Pick<StatComparison, 'match' | 'stat' | 'base' | 'other'>;
type Outcome = Pick<StatComparison, 'result' | 'test' | 'reason'>;

function toOutcome(test: RowTest, result: TestResult): Outcome {
  return { result, test, reason: null };
}

/** Tests counters that only one side has events of. */
function testEvents({ match, stat, base, other }: Pair, { seconds }: RunConditions): Outcome | undefined {
  const isCounter = match.type === 'counter' && (stat === 'rate' || stat === 'total');
  if (!isCounter && !(match.type === 'client' && isRunTotal(match, stat))) return undefined;
  if (base.estimate.mean !== 0 && other.estimate.mean !== 0) return undefined;
  const name = match.type === 'counter' ? 'total' : stat;
  const readTotals = ({ values }: Side): number[] => values.flatMap(entry => readStat(entry, name) ?? []);
  const totals = [readTotals(base), readTotals(other)] as const;
  if (totals.some(({ length }) => length === 0)) return undefined;
  const p = testEventCounts(totals, seconds);
  return p === undefined ? undefined : toOutcome('events', { ...UNTESTED, p });
}

function testDifference(pair: Pair, test: CompareSettings['test'], conditions: RunConditions): Outcome {
  const { match, stat, base, other } = pair;
  if (areEqual(pair)) return { result: UNTESTED, test: null, reason: null };
  if (conditions.haveDifferentWindows && dependsOnWindow(pair))
    return { result: UNTESTED, test: null, reason: 'rates and means over different periods' };
  if (conditions.differ && isRunTotal(match, stat))
    return { result: UNTESTED, test: null, reason: 'total of runs of different length' };
  if (haveOverlappingRates(pair))
    return { result: UNTESTED, test: null, reason: "rates over AIPerf's window are intervals that overlap" };
  if (base.runs.length > 1 && other.runs.length > 1) return toOutcome(test, testRepeats(base, other, test));
  const quantile = readQuantile(stat);
  if (quantile !== undefined && base.runs.length === 1 && other.runs.length === 1) {
    const [from, to] = [base.values[0]!.slices, other.values[0]!.slices];
    const result =
      match.type === 'histogram' ? testTail(from, to, quantile, computeDifference(pair)) : undefined;
    if (result && !('reason' in result)) return toOutcome('tail', result);
    return { result: UNTESTED, test: null, reason: result?.reason ?? 'timeslices have no percentiles' };
  }
  return testSlices(pair);
}

/** Reports whether idle time in the period affects a statistic: a rate of a server, or the mean of a gauge that varies. */
function dependsOnWindow({ match, stat, base, other }: Pair): boolean {
  if (match.type === 'client') return false;
  const varies = [base, other].some(({ estimate }) => estimate.error !== 0);
  return /(?:^|_)rate$/.test(stat) || (match.type === 'gauge' && stat === 'avg' && varies);
}

/** Reports whether the rates of both sides may be equal, because at least one is known only as an interval. */
function haveOverlappingRates({ stat, base, other }: Pair): boolean {
  const [from, to] = [base, other].map(({ values }) => {
    const lower = values.flatMap(entry => readStat(entry, stat) ?? []);
    const upper = values.flatMap(entry => readStat(entry, toUpperRate(stat)) ?? []);
    return { lower: Math.min(...lower), upper: Math.max(...lower, ...upper), isInterval: upper.length > 0 };
  });
  if (!from!.isInterval && !to!.isInterval) return false;
  return from!.lower <= to!.upper && to!.lower <= from!.upper;
}

function computeDifference({ base, other }: Pair): number {
  return other.estimate.mean - base.estimate.mean;
}

/** Returns the quantile of a percentile, such as 0.99 for `p99_estimate`; undefined for other statistics. */
export function readQuantile(stat: string): number | undefined {
  const percent = /^p(\d+)(?:_estimate)?$/.exec(stat)?.[1];
  return percent === undefined ? undefined : Number(percent) / 100;
}

/** Tests the difference between two runs, with noise from their timeslices. */
function testSlices(pair: Pair): Outcome {
  const { base, other } = pair;
  const result = runWelchTest(base.estimate, other.estimate);
  if (result.p === null) return { result, test: null, reason: findUntestedReason(pair) };
  const [from, to] = [base.samples[0], other.samples[0]];
  if (base.runs.length > 1 || other.runs.length > 1 || !from || !to) return toOutcome('welch', result);
  const difference = computeDifference(pair);
  const main = testTrend(from, to, difference) ?? toOutcome('welch', result);
  const separation = main.test === 'welch' ? (testSeparation(from, to) ?? 1) : 1;
  const late = testLateChange(from, to, difference) ?? 1;
  if (Math.min(separation, late) >= main.result.p!) return main;
  // The end of a run does not tell how uncertain the mean of the run is, so there is no confidence interval.
  if (late < separation) return toOutcome('late', { ...result, p: late, error: null });
  return toOutcome('separation', createResult(separation, difference, result));
}

/** Tests the difference between two runs of which at least one drifts; undefined if none does. */
function testTrend(from: SliceSample, to: SliceSample, difference: number): Outcome | undefined {
  const drift = testDrift(from, to, difference);
  if (drift) return toOutcome('drift', drift);
  const growth = testGrowth(from, to, difference);
  return growth && toOutcome('growth', growth);
}

/** Reports whether a comparison is included in the correction for multiple comparisons. */
export function isTested({ result }: StatComparison): boolean {
  return result.p !== null;
}

/** Reports whether both sides have the same value, and neither has noise. */
export function areEqual({ base, other }: Pick<StatComparison, 'base' | 'other'>): boolean {
  return (
    base.estimate.mean === other.estimate.mean && !(base.estimate.error > 0) && !(other.estimate.error > 0)
  );
}
