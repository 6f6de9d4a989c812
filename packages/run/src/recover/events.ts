/** Something that happened while a run was recovered. */
export type RecoverEvent =
  /** Complete records precede damage in the journal. `message` is a sentence. */
  | { readonly type: 'journal_damaged'; readonly message: string }
  /** Lines of the requests file were skipped because they are invalid. */
  | {
      readonly type: 'lines_invalid';
      readonly path: string;
      readonly count: number;
      /** Line number of the first one, from 1. */
      readonly firstLine: number;
      readonly firstMessage: string;
    }
  /** Lines of the requests file were skipped because they belong to an earlier run. */
  | { readonly type: 'lines_of_earlier_run'; readonly path: string; readonly count: number }
  /** The requests file does not exist: the run was killed before its first request ended. */
  | { readonly type: 'requests_missing'; readonly path: string }
  /** The run is still active; its exports contain what it has journaled so far. */
  | { readonly type: 'run_active'; readonly folder: string }
  /** Scrapes could not be written to the journal during the run, so the exports lack them. */
  | { readonly type: 'scrapes_missing'; readonly count: number }
  /** Writing the memory file fails or works again. `message` is a sentence. */
  | { readonly type: 'storage_changed'; readonly state: 'failing' | 'resumed'; readonly message: string };

/** Receives the events of a recovery. It must not throw. */
export type RecoverEventSink = (event: RecoverEvent) => void;
