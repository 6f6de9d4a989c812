import type { Match } from './match.ts';
import type { Settings } from './settings.ts';
import { type Side, sideOf } from './side.ts';
import { mannWhitney, type TestResult, welch } from './significance.ts';

/** One statistic of a series on both sides, with its test: p is corrected when all are known. */
export interface Draft {
  readonly match: Match;
  readonly stat: string;
  readonly base: Side;
  readonly other: Side;
  readonly result: TestResult;
}

/** Undefined for a statistic that one side does not have. */
export function draftOf(
  one: Match,
  [ofBase, ofNew]: readonly [Match['figures'], Match['figures']],
  stat: string,
  { test }: Settings,
): Draft | undefined {
  const base = sideOf(ofBase, stat, one.type);
  const other = base && sideOf(ofNew, stat, one.type);
  return other && { match: one, stat, base, other, result: testOf(base, other, test) };
}

/** Ranks need several runs of each side; timeslices are no independent values to be ranked. */
function testOf(base: Side, other: Side, test: Settings['test']): TestResult {
  const result = welch(base.estimate, other.estimate);
  if (test === 'welch' || base.runs.length < 2 || other.runs.length < 2) return result;
  return { ...mannWhitney(base.runs, other.runs), margin: result.margin };
}

/** What was equal all the time needs no test, and makes none of the others less certain. */
export function isTested(draft: Draft): boolean {
  return draft.result.p !== null && !isConstant(draft);
}

/** Equal, and never anything else. */
export function isConstant({ base, other }: Draft): boolean {
  return (
    base.estimate.error === 0 && other.estimate.error === 0 && base.estimate.mean === other.estimate.mean
  );
}
