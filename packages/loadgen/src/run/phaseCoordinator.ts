import type { RunClock } from '../clock.ts';
import type { PhaseName } from '../requestRecord.ts';
import { Ledger } from './ledger.ts';
import type { LoadOptions } from './loadOptions.ts';

/** One thread's part of a load. */
export interface WorkerShare {
  /** Number of the thread, from 0. */
  readonly worker: number;
  readonly ledger: Ledger;
  /** Wakes the other threads so that they check the ledger. */
  readonly wakeOthers: () => void;
  /** Reports whether sending is paused because records are not processed fast enough. */
  readonly isPaused: () => boolean;
}

/** Synchronizes the phases of a thread's run with the other threads. */
export interface PhaseCoordinator {
  readonly share: WorkerShare;
  /**
   * Resolves with the number of conversations used so far when the phase may be prepared; with undefined to end
   * the run.
   */
  prepare(phase: PhaseName): Promise<number | undefined>;
  /**
   * Announces that this thread is ready. Resolves with the phase's start, in ns since the run's origin, when
   * all are ready.
   */
  begin(phase: PhaseName): Promise<number>;
}

/** Coordinates a run in a single thread. */
export class LocalCoordinator implements PhaseCoordinator {
  readonly share: WorkerShare;
  readonly #options: Pick<LoadOptions, 'signal' | 'beforePhase'>;
  readonly #clock: RunClock;
  #usedConversations = 0;

  constructor(options: Pick<LoadOptions, 'signal' | 'beforePhase'>, clock: RunClock) {
    this.#options = options;
    this.#clock = clock;
    this.share = { worker: 0, ledger: new Ledger(1), wakeOthers: () => {}, isPaused: () => false };
  }

  async prepare(): Promise<number | undefined> {
    if (this.#options.signal?.aborted) return undefined;
    this.#usedConversations += this.share.ledger.sessionsEnd;
    return this.#usedConversations;
  }

  async begin(phase: PhaseName): Promise<number> {
    const startNs = await this.#options.beforePhase?.(phase);
    this.share.ledger.reset();
    return this.#clock.resolveStart(startNs);
  }
}
