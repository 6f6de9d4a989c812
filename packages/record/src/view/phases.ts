import type { RunRecord, TimeRange } from '../runRecord.ts';

/** The time ranges of the phases of a run, in Unix nanoseconds. */
export interface RunPhases {
  /** Absent if profiling never started. */
  readonly profiling?: TimeRange;
  /** Absent without a warm-up. */
  readonly warmup?: TimeRange;
}

/** Returns the phases of a run. A warm-up lasts from the start of the run to the start of profiling. */
export function listPhases(record: RunRecord): RunPhases {
  const recorded = record.summary?.phase_time_ranges;
  if (recorded) return readRanges(recorded);
  const profiling = record.runPeriod ?? record.period;
  const warmup = { startNs: record.startNs, endNs: profiling.startNs - 1n };
  return {
    ...(profiling.startNs < profiling.endNs ? { profiling } : {}),
    ...(hasWarmup(record) && warmup.startNs < warmup.endNs ? { warmup } : {}),
  };
}

type RecordedRanges = NonNullable<NonNullable<RunRecord['summary']>['phase_time_ranges']>;

function readRanges(ranges: RecordedRanges): RunPhases {
  const entries = Object.entries(ranges).flatMap(([name, { start_ns: startNs, end_ns: endNs }]) =>
    typeof startNs === 'bigint' && typeof endNs === 'bigint' ? [[name, { startNs, endNs }] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** Returns the phases as `phase_time_ranges` of an export; nothing if there are none. */
export function describePhases(record: RunRecord): { readonly phase_time_ranges?: RecordedRanges } {
  const ranges = Object.entries(listPhases(record)).map(([name, { startNs, endNs }]) => [
    name,
    { start_ns: startNs, end_ns: endNs },
  ]);
  return ranges.length === 0 ? {} : { phase_time_ranges: Object.fromEntries(ranges) };
}

/** Reports whether a run has a warm-up: a phase of its load, or the option of a collect run. */
function hasWarmup({ inputConfig, servelensConfig }: RunRecord): boolean {
  const { phases, warmup_duration: seconds } = { ...inputConfig, ...servelensConfig } as {
    readonly phases?: unknown;
    readonly warmup_duration?: unknown;
  };
  if (Array.isArray(phases)) return phases.some(phase => phase?.kind === 'warmup');
  return typeof seconds === 'number' && seconds > 0;
}
