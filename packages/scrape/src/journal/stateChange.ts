import type { WriteError } from './recordFile.ts';

/** A report that the journal cannot be written, or can be written again. */
export interface JournalStateChange {
  readonly state: 'failing' | 'resumed';
  /** Describes the event. */
  readonly message: string;
  /** Number of frames missing from the journal so far. */
  readonly missedFrames: number;
  /** The error of the file system, for debugging. */
  readonly cause?: unknown;
}

/** Returns the report of a write failure. */
export function createFailureReport(
  path: string,
  { message, cause }: WriteError,
  missedFrames: number,
): JournalStateChange {
  const problem = `cannot write the journal ${path}: ${message}`;
  const effect = 'data collected from now on cannot be recovered if this process is killed';
  return { state: 'failing', message: `${problem}; ${effect}`, missedFrames, cause };
}

/** Returns the report that writing succeeds again. */
export function createRecoveryReport(path: string, missedFrames: number): JournalStateChange {
  const lacks = `${missedFrames} ${missedFrames === 1 ? 'frame' : 'frames'}`;
  return {
    state: 'resumed',
    message: `writing the journal ${path} resumed; it lacks ${lacks}`,
    missedFrames,
  };
}
