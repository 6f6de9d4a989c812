import type { MatchedSeries } from './matchSeries.ts';
import type { CompareSettings } from './settings.ts';
import { estimateSide, type Side } from './side.ts';
import { mannWhitneyTest, type TestResult, welchTest } from './significance.ts';

/** A statistic of a series on both sides, with its test. p is corrected later, once all comparisons are known. */
export interface StatComparison {
  readonly match: MatchedSeries;
  readonly stat: string;
  readonly base: Side;
  readonly other: Side;
  readonly result: TestResult;
}

/** Compares a statistic. Returns undefined if one side does not have it. */
export function compareStat(
  match: MatchedSeries,
  [ofBase, ofNew]: readonly [MatchedSeries['figures'], MatchedSeries['figures']],
  stat: string,
  { test }: CompareSettings,
): StatComparison | undefined {
  const base = estimateSide(ofBase, stat, match.type);
  const other = base && estimateSide(ofNew, stat, match.type);
  return other && { match, stat, base, other, result: testDifference(base, other, test) };
}

/** Tests a difference. Rank tests require several runs on each side: timeslices are not independent. */
function testDifference(base: Side, other: Side, test: CompareSettings['test']): TestResult {
  const result = welchTest(base.estimate, other.estimate);
  if (test === 'welch' || base.runs.length < 2 || other.runs.length < 2) return result;
  return { ...mannWhitneyTest(base.runs, other.runs), margin: result.margin };
}

/** Reports whether a comparison counts for the correction of p. Values that never changed do not need a test. */
export function isTested(draft: StatComparison): boolean {
  return draft.result.p !== null && !isConstant(draft);
}

/** Reports whether both sides have the same value, without any variation. */
export function isConstant({ base, other }: StatComparison): boolean {
  return (
    base.estimate.error === 0 && other.estimate.error === 0 && base.estimate.mean === other.estimate.mean
  );
}
