import type { WriteError } from './recordFile.ts';

/** Reports that writing the journal has started to fail, or that it succeeds again. */
export interface JournalStateChange {
  readonly state: 'failing' | 'resumed';
  /** Describes the change, for the user. */
  readonly message: string;
  /** Number of frames missing from the journal so far. */
  readonly missedFrames: number;
  /** The system error, for debugging. */
  readonly cause?: unknown;
}

/** Creates the report of a write failure. */
export function createFailureReport(
  path: string,
  { message, cause }: WriteError,
  missedFrames: number,
): JournalStateChange {
  const problem = `cannot write the journal ${path}: ${message}`;
  const effect = 'data collected from now on cannot be recovered if this process is killed';
  return { state: 'failing', message: `${problem}; ${effect}`, missedFrames, cause };
}

/** Creates the report that writing succeeds again. */
export function createRecoveryReport(path: string, missedFrames: number): JournalStateChange {
  const missingScrapes = `${missedFrames} ${missedFrames === 1 ? 'scrape is' : 'scrapes are'}`;
  return {
    state: 'resumed',
    message: `resumed writing the journal ${path}; ${missingScrapes} missing from it`,
    missedFrames,
  };
}
