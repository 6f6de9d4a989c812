import type { Direction } from './direction.ts';
import type { CompareSettings } from './settings.ts';

/**
 * `worse`, `better`: a change that noise does not explain, of something that has a direction; `changed`: of something that
 * has none. `same`: equal, or certain to be a small change. `no evidence`: noise may explain it. `untested`: nothing is
 * known of the noise.
 */
export type Verdict = 'worse' | 'better' | 'changed' | 'same' | 'no evidence' | 'untested';

/** What a verdict is made of. */
export interface VerdictInput {
  readonly p: number | null;
  readonly change: number | null;
  readonly difference: number;
  readonly isConstant: boolean;
  readonly better: Direction;
}

/** A difference that is certain, and large enough, is told by its direction. */
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
