import type { LoadSummary } from '@org/loadgen';
import type { JournalMark } from '@org/scrape';

/** The moments of a profile run that stand in its journal, beside those of its scraping. */
export const LOAD_MARK = {
  /** Profiling begins: `LoadEdge`. */
  begun: 'load_begun',
  /** All requests are over and their lines written: `LoadOver`. */
  over: 'load_over',
} as const;

/** What is known at an end of profiling. */
export interface LoadEdge {
  /** Requests that the servers say they are at; absent when none says so. */
  readonly running?: number;
  /** Requests of the warm-up that its end cut off. */
  readonly warmupCutOff: number;
}

/** What a load came to. */
export interface LoadOver extends LoadEdge {
  readonly summary: LoadSummary;
  /** When profiling ended, ns since 1970; absent when it never began. */
  readonly profilingEndNs?: bigint;
}

/** How a load went, as far as it came. */
export interface LoadMoments {
  readonly begun?: LoadEdge;
  readonly over?: LoadOver & { readonly atNs: bigint };
}

/** Reads the moments of a load out of a journal. */
export function loadMomentsOf(journal: readonly JournalMark[]): LoadMoments {
  const last = (kind: string): JournalMark | undefined => journal.findLast(mark => mark.kind === kind);
  const begun = last(LOAD_MARK.begun);
  const over = last(LOAD_MARK.over);
  return {
    ...(begun ? { begun: begun.data as LoadEdge } : {}),
    ...(over ? { over: { ...(over.data as LoadOver), atNs: over.atNs } } : {}),
  };
}
