import type { PhaseName } from '../requestRecord.ts';
import type { TimeSpread } from './eventLoopDelay.ts';
import type { Ledger } from './ledger.ts';
import type { PhaseSummary } from './loadOptions.ts';
import type { LoadWarning } from './loadWarning.ts';

/** What a run comes to. Times are ns of the run; `originNs` is the wall time of its origin. */
export interface LoadSummary {
  readonly originNs: bigint;
  readonly phases: readonly PhaseSummary[];
  readonly wasCancelled: boolean;
  /** Of profiling: how late timers of the client were. */
  readonly eventLoopLag: TimeSpread;
  /** Of profiling: share of the time in which the client was at work, 0 to 1. */
  readonly clientBusy: number;
  /** Of profiling: from the intended to the real time of sending, waits for a free place included. */
  readonly sendLateness: TimeSpread;
  /** Of profiling: streams that count as answered, and may have been cut off (`RequestRecord.silentEnd`). */
  readonly silentEnds: number;
  /** Who counted the tokens: a tokenizer's name, or `server`. */
  readonly tokenizer: string;
  /** Threads of their own that sent requests; 0 when it was the caller's. */
  readonly workers: number;
  /** Threads that ended before the run did, which was cut then. */
  readonly lost: readonly LostWorker[];
  readonly warnings: readonly LoadWarning[];
}

/** A thread that ended before its time. */
export interface LostWorker {
  /** `worker_1`. */
  readonly workerId: string;
  /** What it ended of. */
  readonly message: string;
  /** Requests that it had sent and nobody knows the end of: they count as failed, and have no records. */
  readonly requests: number;
}

/** Where a run is. */
export interface LoadProgress {
  readonly phase: PhaseName | undefined;
  readonly sent: number;
  readonly underWay: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Time in the phase, ns. */
  readonly elapsedNs: number;
}

/** A run under way. */
export interface LoadRun {
  /** Wall time of the origin, ns since 1970: of all times of records. */
  readonly originNs: bigint;
  progress(): LoadProgress;
  /** Resolves when all is over and every record is out; the counter is left open. */
  readonly finished: Promise<LoadSummary>;
}

/** What the ledger says of a phase. */
export function progressOf(phase: PhaseName | undefined, ledger: Ledger, elapsedNs: number): LoadProgress {
  const [sent, succeeded, failed] = [ledger.total('sent'), ledger.total('succeeded'), ledger.total('failed')];
  return { phase, sent, underWay: sent - succeeded - failed, succeeded, failed, elapsedNs };
}
