import type { Direction } from './direction.ts';
import type { CompareSettings } from './settings.ts';

/**
 * The verdict on a change. `worse`, `better`: a significant change of a metric with a direction. `changed`: a
 * significant change of a metric without one. `same`: equal, or a significant change that is too small to
 * matter. `no evidence`: noise may explain the change. `untested`: the noise is unknown.
 */
export type Verdict = 'worse' | 'better' | 'changed' | 'same' | 'no evidence' | 'untested';

/** The values that a verdict depends on. */
export interface VerdictInput {
  readonly p: number | null;
  readonly change: number | null;
  readonly difference: number;
  readonly isConstant: boolean;
  readonly better: Direction;
}

/** Decides the verdict on a change. */
export function decideVerdict(
  { p, change, difference, isConstant: equal, better }: VerdictInput,
  settings: CompareSettings,
): Verdict {
  if (equal) return 'same';
  if (p === null) return 'untested';
  if (p > settings.alpha) return 'no evidence';
  if (change !== null && Math.abs(change) < settings.minChange) return 'same';
  if (better === 'neither') return 'changed';
  return difference > 0 === (better === 'higher') ? 'better' : 'worse';
}
