import type { Shard } from '@org/formats';
import type { RunRecord } from '@org/record';
import type { RecordedPhase } from '@org/record/view';
import { getPhasePosition, type PhaseName } from './phasePosition.ts';

/** The times of a phase, in nanoseconds since 1970. */
export interface PhaseTimes {
  readonly phase: PhaseName;
  readonly startNs: bigint;
  /** Null if the run was killed in this phase. */
  readonly endNs: bigint | null;
}

/** Returns the times of the warm-up as fields of a shard; nothing without a warm-up. */
export function describeWarmupTimes(
  phases: readonly PhaseTimes[],
): Pick<Shard, 'warmup_start_ns' | 'warmup_end_ns'> {
  const warmup = phases.find(({ phase }) => phase === 'warmup');
  if (!warmup) return {};
  return {
    warmup_start_ns: warmup.startNs,
    ...(warmup.endNs === null ? {} : { warmup_end_ns: warmup.endNs }),
  };
}

/**
 * Describes the phases for the export of their server metrics. Only the warm-up needs a time range; the range of
 * profiling is the period of the run.
 */
export function toRecordedPhases(
  phases: readonly PhaseTimes[],
  { cancelled }: Pick<RunRecord, 'cancelled'>,
): RecordedPhase[] {
  return phases.map(({ phase, startNs, endNs }) => ({
    ...getPhasePosition(phase, true),
    start_ns: startNs,
    end_ns: endNs,
    was_cancelled: cancelled,
    ...(phase === 'warmup' ? { scrapes: { startNs, endNs: endNs! } } : {}),
  }));
}
