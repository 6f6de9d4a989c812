import type { RequestRecord } from '@org/loadgen';

/** The name of a phase of a profile run. */
export type PhaseName = RequestRecord['phase'];

/** The position of a phase in a run, as in the exports. */
export interface PhasePosition {
  /** Index of the phase in the run, from 0. */
  readonly phase_index: number;
  /** Index among the profiling phases; null for a warm-up. */
  readonly profiling_index: number | null;
  readonly phase_name: PhaseName;
  readonly phase_kind: PhaseName;
}

/** Returns the position of a phase. Profiling is the first phase of a run without a warm-up. */
export function getPhasePosition(phase: PhaseName, hasWarmup: boolean): PhasePosition {
  return {
    phase_index: phase === 'profiling' && hasWarmup ? 1 : 0,
    profiling_index: phase === 'profiling' ? 0 : null,
    phase_name: phase,
    phase_kind: phase,
  };
}
