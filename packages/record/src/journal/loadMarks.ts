import type { OverSaturation } from '@org/formats';
import type { LoadSummary } from '@org/loadgen';
import type { JournalMark } from '@org/scrape';

/** The kinds of journal marks that only profile runs write, in addition to the kinds in `MARK`. */
export const LOAD_MARK = {
  /** Profiling started. Data: `LoadBoundary`. */
  started: 'load_begun',
  /** All requests have ended and their lines are written. Data: `LoadEnd`. */
  ended: 'load_over',
} as const;

/** The state of the load at the start or the end of profiling. */
export interface LoadBoundary {
  /** Number of requests that the servers reported as running. Absent if no server reports it. */
  readonly running?: number;
  /** Number of warm-up requests that were cancelled when the warm-up ended. */
  readonly warmupCutOff: number;
}

/** The state of the load after its last request. */
export interface LoadEnd extends LoadBoundary {
  readonly summary: LoadSummary;
  /** The end of profiling, in Unix nanoseconds; absent if profiling never started. */
  readonly profilingEndNs?: bigint;
  /** Present if the load was ended because the servers were over-saturated. */
  readonly overSaturation?: OverSaturation;
}

/** The load of a profile run as recorded in its journal. A killed run may lack both marks. */
export interface RecoveredLoad {
  readonly start?: LoadBoundary;
  readonly end?: LoadEnd & { readonly atNs: bigint };
}

/** Renamed fields of a load summary and its phases: the name in journals of earlier versions, then the current name. */
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

/** Converts the data of an `ended` mark, which an earlier version may have written. */
function toLoadEnd(data: LoadEnd): LoadEnd {
  const summary = renameFields(data.summary);
  return { ...data, summary: { ...summary, phases: summary.phases.map(renameFields) } };
}

function renameFields<T extends object>(fields: T): T {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [RENAMED_FIELDS[name] ?? name, value]),
  ) as T;
}
