import type { PhaseName } from '../requestRecord.ts';
import type { Ledger } from './ledger.ts';
import type { LoadWarning } from './loadWarning.ts';
import type { TemplateProblems } from './templateProblems.ts';
import type { TimeStats } from './timeHistogram.ts';

/**
 * The conditions that end a phase, by precedence: a phase gets the first of these reasons that any thread or shard reports.
 * `failed_requests`: the failure threshold was exceeded. `over_saturated`: more requests arrived than the servers could
 * process. `sessions` comes last, because the other threads run out of sessions after one thread has stopped for another reason.
 */
export const STOP_REASONS = [
  'interrupted',
  'failed_requests',
  'over_saturated',
  'duration',
  'requests',
  'schedule',
  'sessions',
] as const;
/** The condition that ended a phase. */
export type StopReason = (typeof STOP_REASONS)[number];

/** Returns the reason of a phase that several threads or shards ended. */
export function selectStopReason(reasons: readonly StopReason[]): StopReason {
  return STOP_REASONS.find(reason => reasons.includes(reason)) ?? 'interrupted';
}

/**
 * Result of one phase. Times are in ns since the run's origin. Each of the `sent` requests counts as either
 * succeeded, failed or cancelled.
 */
export interface PhaseSummary {
  readonly phase: PhaseName;
  readonly startNs: number;
  /** When the last request was sent, or sending was stopped. */
  readonly sentNs: number;
  readonly endNs: number;
  readonly sent: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Requests that the client cancelled. */
  readonly cancelled: number;
  readonly sessions: number;
  /**
   * Requests that were due when sending was stopped but had not been sent, mostly because no concurrency slot
   * was free.
   */
  readonly unsent: number;
  /** Waits of concurrency slots after connection failures in a row, and their total duration. */
  readonly connectionWaits: number;
  readonly connectionWaitNs: number;
  readonly stopReason: StopReason;
}

/** Result of a run. Times are in ns since the run's origin; `originNs` is the Unix time of the origin. */
export interface LoadSummary {
  readonly originNs: bigint;
  readonly phases: readonly PhaseSummary[];
  /** True if the run was interrupted, or aborted by the failure threshold or a lost worker. */
  readonly wasCancelled: boolean;
  /** Event-loop delay of the client during the profiling phase. */
  readonly eventLoopDelay: TimeStats;
  /** Utilization of the client's event loop during the profiling phase, from 0 to 1. */
  readonly clientBusy: number;
  /** Delay between the intended and the actual send time during the profiling phase, including waits for a slot. */
  readonly sendDelay: TimeStats;
  /**
   * Streams of the profiling phase that count as successful but may have been truncated
   * (`RequestRecord.missingEndMarker`).
   */
  readonly missingEndMarkers: number;
  /** Requests of the profiling phase whose input could not be counted with the chat template. */
  readonly templateProblems?: TemplateProblems;
  /** Source of token counts: a tokenizer's name, or `server`. */
  readonly tokenizer: string;
  /** Number of worker threads that sent requests; 0 if the calling thread did. */
  readonly workers: number;
  /** Worker threads that exited early; the run is aborted if there are any. */
  readonly lostWorkers: readonly LostWorker[];
  readonly warnings: readonly LoadWarning[];
}

/** A worker thread that exited before the end of the run. */
export interface LostWorker {
  /** Name of the thread, such as `worker_1`. */
  readonly workerId: string;
  /** Reason for the exit. */
  readonly message: string;
  /** Number of in-flight requests whose outcome is unknown. They count as failed and have no records. */
  readonly requests: number;
}

/** Progress of a run. */
export interface LoadProgress {
  readonly phase: PhaseName | undefined;
  readonly sent: number;
  readonly inFlight: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Time since the start of the phase, in ns. */
  readonly elapsedNs: number;
}

/** A run in progress. */
export interface LoadRun {
  /** Unix time of the origin of all times in records, in ns. */
  readonly originNs: bigint;
  getProgress(): LoadProgress;
  /** Resolves after the last record was delivered. The token counter is not closed. */
  readonly finished: Promise<LoadSummary>;
}

/** Reports whether a run was aborted because too many of its requests failed. */
export function wasAborted(phases: readonly PhaseSummary[]): boolean {
  return phases.some(({ stopReason }) => stopReason === 'failed_requests');
}

/** Reads the progress of a phase from the ledger. */
export function readProgress(phase: PhaseName | undefined, ledger: Ledger, elapsedNs: number): LoadProgress {
  const [succeeded, failed, cancelled] = [
    ledger.sum('succeeded'),
    ledger.sum('failed'),
    ledger.sum('cancelled'),
  ];
  const sent = ledger.sum('sent');
  const inFlight = sent - succeeded - failed - cancelled;
  return { phase, sent, inFlight, succeeded, failed, cancelled, elapsedNs };
}

/** Reads the outcomes of a thread's requests in the current phase from the ledger. */
export function readOutcomes(
  ledger: Ledger,
  worker: number,
): Pick<PhaseSummary, 'sent' | 'succeeded' | 'failed' | 'cancelled'> {
  const [sent, succeeded] = [ledger.count(worker, 'sent'), ledger.count(worker, 'succeeded')];
  return {
    sent,
    succeeded,
    failed: ledger.count(worker, 'failed'),
    cancelled: ledger.count(worker, 'cancelled'),
  };
}
