import type { RunClock } from '../clock.ts';
import type { ConcurrencyLimit } from '../schedule/concurrencyLimit.ts';
import type { WorkerShare } from './phaseCoordinator.ts';
import type { Session } from './session.ts';

/**
 * The limit of requests that wait for their first token. A request takes a slot when it is sent, and releases it at its
 * first token or at its end. All threads share the slots.
 */
export class PrefillSlots {
  readonly #limit: ConcurrencyLimit | undefined;
  readonly #clock: RunClock;
  readonly #share: WorkerShare;
  /** Sessions whose request holds a slot. */
  readonly #held = new Set<Session>();
  #startNs = 0;

  /** Without a limit, a slot is always free. */
  constructor(limit: ConcurrencyLimit | undefined, clock: RunClock, share: WorkerShare) {
    this.#limit = limit;
    this.#clock = clock;
    this.#share = share;
  }

  /** Sets the start of the phase and of the ramp, in ns since the run's origin. */
  start(startNs: number): void {
    this.#startNs = startNs;
  }

  get isLimited(): boolean {
    return this.#limit !== undefined;
  }

  /** Assigns a slot that was taken to the request of a session. */
  assign(session: Session): void {
    if (this.#limit) this.#held.add(session);
  }

  /** Releases the slot of a session's request, unless it was released before. */
  end(session: Session): void {
    if (this.#held.delete(session)) this.release();
  }

  /** Takes a slot. Returns false if none is free; another thread that releases a slot then wakes this one. */
  take(): boolean {
    if (!this.#limit) return true;
    const { ledger, worker } = this.#share;
    return ledger.takePrefill(worker, this.#limit.countSlots(this.#clock.nowNs() - this.#startNs));
  }

  /** Releases a slot, and wakes the other threads if one of them waits for it. */
  release(): void {
    if (!this.#limit) return;
    const { ledger, worker, wakeOthers } = this.#share;
    ledger.releasePrefill();
    if (ledger.hasOtherPrefillWaiting(worker)) wakeOthers();
  }

  /** Returns when the ramp adds the next slot, in ns since the run's origin; infinity after the ramp. */
  findNextChangeNs(): number {
    const change = this.#limit?.findNextChange(this.#clock.nowNs() - this.#startNs);
    return change === undefined ? Number.POSITIVE_INFINITY : this.#startNs + change;
  }
}
