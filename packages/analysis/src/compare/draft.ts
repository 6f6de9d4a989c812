import type { MatchedSeries } from './match.ts';
import type { CompareSettings } from './settings.ts';
import { estimateSide, type Side } from './side.ts';
import { mannWhitneyTest, type TestResult, welchTest } from './significance.ts';

/** One statistic of a series on both sides, with its test: p is corrected when all are known. */
export interface StatComparison {
  readonly match: MatchedSeries;
  readonly stat: string;
  readonly base: Side;
  readonly other: Side;
  readonly result: TestResult;
}

/** Undefined for a statistic that one side does not have. */
export function compareStat(
  one: MatchedSeries,
  [ofBase, ofNew]: readonly [MatchedSeries['figures'], MatchedSeries['figures']],
  stat: string,
  { test }: CompareSettings,
): StatComparison | undefined {
  const base = estimateSide(ofBase, stat, one.type);
  const other = base && estimateSide(ofNew, stat, one.type);
  return other && { match: one, stat, base, other, result: testOf(base, other, test) };
}

/** Ranks need several runs of each side; timeslices are no independent values to be ranked. */
function testOf(base: Side, other: Side, test: CompareSettings['test']): TestResult {
  const result = welchTest(base.estimate, other.estimate);
  if (test === 'welch' || base.runs.length < 2 || other.runs.length < 2) return result;
  return { ...mannWhitneyTest(base.runs, other.runs), margin: result.margin };
}

/** What was equal all the time needs no test, and makes none of the others less certain. */
export function isTested(draft: StatComparison): boolean {
  return draft.result.p !== null && !isConstant(draft);
}

/** Equal, and never anything else. */
export function isConstant({ base, other }: StatComparison): boolean {
  return (
    base.estimate.error === 0 && other.estimate.error === 0 && base.estimate.mean === other.estimate.mean
  );
}
