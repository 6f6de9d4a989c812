import type { RunClock } from '../clock.ts';
import type { PhaseName } from '../requestRecord.ts';
import { Ledger } from './ledger.ts';
import type { LoadOptions } from './loadOptions.ts';

/** The part of a load that one thread puts on. */
export interface Share {
  /** Number of the thread, from 0. */
  readonly worker: number;
  readonly ledger: Ledger;
  /** Has the other threads look at the ledger. */
  readonly nudge: () => void;
  /** Whether nothing new may be sent, because what has been measured is not taken fast enough. */
  readonly isHeld: () => boolean;
}

/** How a run keeps step with those of the other threads. */
export interface Team {
  readonly share: Share;
  /** Resolves when a phase may be prepared, with the number of conversations that earlier phases used; undefined to end. */
  prepare(phase: PhaseName): Promise<number | undefined>;
  /** Tells that this thread is prepared. Resolves when all are, with the beginning of the phase, ns of the run. */
  begin(phase: PhaseName): Promise<number>;
}

/** A run in one thread. */
export class Alone implements Team {
  readonly share: Share;
  readonly #options: Pick<LoadOptions, 'signal' | 'beforePhase'>;
  readonly #clock: RunClock;
  #used = 0;

  constructor(options: Pick<LoadOptions, 'signal' | 'beforePhase'>, clock: RunClock) {
    this.#options = options;
    this.#clock = clock;
    this.share = { worker: 0, ledger: new Ledger(1), nudge: () => {}, isHeld: () => false };
  }

  async prepare(): Promise<number | undefined> {
    if (this.#options.signal?.aborted) return undefined;
    this.#used += this.share.ledger.sessionsEnd;
    return this.#used;
  }

  async begin(phase: PhaseName): Promise<number> {
    await this.#options.beforePhase?.(phase);
    this.share.ledger.reset();
    return this.#clock.now();
  }
}
