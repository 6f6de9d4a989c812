import { estimateFromRuns, MIN_SLICES } from '../noise/estimate.ts';
import type { Side } from '../noise/side.ts';
import type { CompareSettings } from '../settings.ts';
import { countIndependent, toLogarithms } from './drift.ts';
import { computeGap, computeRange } from './ranges.ts';
import {
  runMannWhitneyTest,
  runStudentTest,
  runTransformedTest,
  runWelchTest,
  type TestResult,
} from './significance.ts';

/**
 * Tests the difference between repeated runs on both sides. Positive values are compared by their logarithms, because
 * the values of a slower server also vary more.
 *
 * If all timeslices of one side are above those of the other side, by much more than repeated runs differ, the
 * variances of both sides are pooled. With two runs per side, Welch's test has too little power for any difference.
 */
export function testRepeats(base: Side, other: Side, test: CompareSettings['test']): TestResult {
  const result = runWelchTest(base.estimate, other.estimate);
  if (test === 'mann-whitney') return { ...result, ...runMannWhitneyTest(base.runs, other.runs) };
  const logs = [...base.runs, ...other.runs].every(value => value > 0) && toLogarithms(base.runs, other.runs);
  if (!logs || result.error === 0) return result;
  const [from, to] = logs.map(estimateFromRuns);
  const difference = other.estimate.mean - base.estimate.mean;
  const welch = runTransformedTest(from!, to!, difference);
  if (!areSeparated(base, other, Math.max(...logs.map(computeRange)))) return welch;
  const student = runStudentTest(from!, to!);
  return student.p! < welch.p! ? { ...welch, p: student.p, degrees: student.degrees } : welch;
}

/** The minimum gap between the sides, as a multiple of the largest offset between repeated runs. */
const MIN_GAP = 3;

/** Reports whether the slices of both sides are separated by more than the offset between repeated runs. */
function areSeparated(base: Side, other: Side, offset: number): boolean {
  const [from, to] = [base, other].map(({ samples }) => samples.map(sample => sample?.values ?? []));
  const logs = toLogarithms(from!.flat(), to!.flat());
  if (!logs || computeGap(...logs) <= MIN_GAP * offset) return false;
  return [from!, to!].every(
    runs => runs.reduce((total, values) => total + countIndependent(values), 0) >= MIN_SLICES,
  );
}
