import type { LoadSummary } from '@org/loadgen';
import type { JournalMark } from '@org/scrape';

/** The kinds of marks that only profile runs write, in addition to those of `MARK`. */
export const LOAD_MARK = {
  /** Profiling started. Data: `LoadBoundary`. */
  started: 'load_begun',
  /** All requests have ended and their lines are written. Data: `LoadEnd`. */
  ended: 'load_over',
} as const;

/** The load at a boundary of the profiling period. */
export interface LoadBoundary {
  /** Requests that the servers reported as running; absent if no server reports them. */
  readonly running?: number;
  /** Warm-up requests that were cancelled when the warm-up ended. */
  readonly warmupCutOff: number;
}

/** The load at its end. */
export interface LoadEnd extends LoadBoundary {
  readonly summary: LoadSummary;
  /** The end of profiling, in ns since 1970; absent if profiling never started. */
  readonly profilingEndNs?: bigint;
}

/** The parts of a profile run's load that its journal records. */
export interface RecoveredLoad {
  readonly start?: LoadBoundary;
  readonly end?: LoadEnd & { readonly atNs: bigint };
}

/** Fields of a summary, and of its phases, that have other names in journals of earlier versions. */
const RENAMED_FIELDS: Readonly<Record<string, string>> = {
  eventLoopLag: 'eventLoopDelay',
  sendLateness: 'sendDelay',
  silentEnds: 'missingEndMarkers',
  lost: 'lostWorkers',
  stopped: 'stopReason',
};

/** Reads the load of a profile run from its journal marks. */
export function readLoad(journal: readonly JournalMark[]): RecoveredLoad {
  const findLast = (kind: string): JournalMark | undefined => journal.findLast(mark => mark.kind === kind);
  const start = findLast(LOAD_MARK.started);
  const end = findLast(LOAD_MARK.ended);
  return {
    ...(start ? { start: start.data as LoadBoundary } : {}),
    ...(end ? { end: { ...toLoadEnd(end.data as LoadEnd), atNs: end.atNs } } : {}),
  };
}

/** Renames the fields of earlier versions. */
function toLoadEnd(data: LoadEnd): LoadEnd {
  const summary = renameFields(data.summary);
  return { ...data, summary: { ...summary, phases: summary.phases.map(renameFields) } };
}

function renameFields<T extends object>(fields: T): T {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [RENAMED_FIELDS[name] ?? name, value]),
  ) as T;
}
