import { fitIsotonic } from '../isotonic.ts';
import { computeMedian, type Evidence } from './evidence.ts';
import { isContradiction } from './noise.ts';

/** Values with verdicts that do not contradict each other, unless the limits do not depend on the value alone. */
export interface JudgedEvidence {
  readonly evidence: readonly Evidence[];
  /** False if a value failed and a higher one passed, beyond the noise of repeats. */
  readonly isMonotonic: boolean;
}

/**
 * Resolves contradictions between values. If they are within the noise of repeats, the fit of all median margins decides which
 * values passed; values without a margin keep their verdict.
 */
export function judgeEvidence(evidence: readonly Evidence[], level: number): JudgedEvidence {
  const conflicts = listConflicts(evidence);
  if (conflicts.length === 0) return { evidence, isMonotonic: true };
  if (conflicts.some(({ failed, passed }) => isContradiction(failed, passed, level)))
    return { evidence, isMonotonic: false };
  const measured = evidence.filter(({ margins }) => margins.length > 0);
  const fitted = fitMedians(measured);
  const hasPassed = new Map(measured.map(({ value }, index) => [value, fitted[index]! <= 0]));
  return {
    evidence: evidence.map(each => ({ ...each, hasPassed: hasPassed.get(each.value) ?? each.hasPassed })),
    isMonotonic: true,
  };
}

/** A value that failed, and a higher one that passed. */
export interface Conflict {
  readonly failed: Evidence;
  readonly passed: Evidence;
}

/** Lists all pairs of a value that failed and a higher one that passed. */
export function listConflicts(evidence: readonly Evidence[]): Conflict[] {
  return evidence
    .filter(({ hasPassed }) => !hasPassed)
    .flatMap(failed =>
      evidence
        .filter(({ value, hasPassed }) => hasPassed && value > failed.value)
        .map(passed => ({ failed, passed })),
    );
}

/** Fits the median margins of values with margins by an isotonic regression, weighted by the number of probes. */
export function fitMedians(evidence: readonly Evidence[]): number[] {
  return fitIsotonic(
    evidence.map(({ margins }) => ({ value: computeMedian(margins), weight: margins.length })),
  );
}
