import { type LoadSummary, toWallNs } from '@org/loadgen';
import type { PhaseTimes } from './recordedPhases.ts';

/** Lists the phases of a run with a warm-up. Returns an empty list if the run had only one phase. */
export function listPhases({ phases, originNs }: Pick<LoadSummary, 'phases' | 'originNs'>): PhaseTimes[] {
  if (phases.length < 2) return [];
  return phases.map(({ phase, startNs, endNs }) => ({
    phase,
    startNs: toWallNs(originNs, startNs),
    endNs: toWallNs(originNs, endNs),
  }));
}
