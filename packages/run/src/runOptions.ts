import type { EventSink } from './events.ts';

/** Options of a run that are not part of its plan. */
export interface RunOptions {
  /** Receives the events of the run. */
  readonly onEvent?: EventSink;
  /** Ends the run early when aborted. All exports are still written. */
  readonly signal?: AbortSignal;
  /** Version of the program, recorded in the exports. */
  readonly version?: string;
  /** Command line without secrets, recorded in the exports. */
  readonly cliCommand?: string;
}

/** The version recorded by scripts that pass none. */
export const DEFAULT_VERSION = '0.0.0';

export const NEVER_ABORTED: AbortSignal = new AbortController().signal;
