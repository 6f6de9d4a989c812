import type { RunClock } from '../clock.ts';
import type { WorkerShare } from './phaseCoordinator.ts';
import type { PhasePlan } from './phasePlan.ts';

/**
 * The sessions of a phase and the concurrency slots that they need. In closed loop, slots are assigned to
 * threads round robin, like sessions; a thread that has used all of its sessions takes sessions from other
 * threads. In open loop with a concurrency limit, slots are shared, and the oldest arrival of all threads takes
 * the next free slot.
 */
export class SessionSlots {
  readonly #plan: PhasePlan;
  readonly #clock: RunClock;
  readonly #share: WorkerShare;
  #startNs = 0;
  #active = 0;
  /** True if a slot was taken or released since other threads were last notified. */
  #hasChanged = false;

  constructor(plan: PhasePlan, clock: RunClock, share: WorkerShare) {
    this.#plan = plan;
    this.#clock = clock;
    this.#share = share;
  }

  /** Sets the start of the phase and of the concurrency ramp, in ns since the run's origin. */
  start(startNs: number): void {
    this.#startNs = startNs;
  }

  /** Number of active sessions of this thread. */
  get active(): number {
    return this.#active;
  }

  /**
   * Reports whether this thread can start another session. In open loop, a thread starts only its assigned
   * sessions, so that runs are reproducible.
   */
  hasSession(): boolean {
    const { ledger, worker } = this.#share;
    return this.#plan.createArrivals
      ? ledger.hasSession(worker, this.#maxSessions)
      : ledger.hasAnySession(this.#maxSessions);
  }

  /**
   * Takes a slot and the next session for an arrival. Returns the number of the session; undefined if no slot
   * or no session is left.
   */
  take(intendedNs: number): number | undefined {
    const { ledger, worker } = this.#share;
    if (!this.hasSession() || !this.#takeSlot(intendedNs)) return undefined;
    const max = this.#maxSessions;
    const number = this.#plan.createArrivals
      ? ledger.takeSession(worker, max)
      : ledger.takeAnySession(worker, max);
    if (number === undefined) this.release();
    return number;
  }

  /** Releases the slot of a session. */
  release(): void {
    this.#active -= 1;
    if (this.#isShared) this.#share.ledger.releaseSlot();
    this.#hasChanged = true;
  }

  /** Withdraws this thread's waiting arrival, so that later arrivals of other threads may take a free slot. */
  stopWaiting(): void {
    const { ledger, worker } = this.#share;
    if (this.#isShared && ledger.stopWaiting(worker)) this.#hasChanged = true;
  }

  /**
   * Wakes the other threads if one of them may be waiting for a slot that is now free, or for a session that no
   * longer exists. A thread changes the ledger before it checks for waiting threads; a waiting thread announces
   * its arrival before it checks the ledger. One of the two therefore always sees the other, and since wake-ups
   * are queued, none is lost.
   */
  notifyOthers(): void {
    const { ledger, worker, wakeOthers } = this.#share;
    if (!this.#hasChanged || ledger.workers === 1) return;
    this.#hasChanged = false;
    const isNeeded = this.#isShared
      ? ledger.hasOtherWaiting(worker) && ledger.active < this.#countSlots()
      : this.#plan.createArrivals === undefined && !this.hasSession();
    if (isNeeded) wakeOthers();
  }

  /** Returns when the ramp adds the next slot, in ns since the run's origin; infinity after the ramp. */
  findNextChangeNs(): number {
    const change = this.#plan.concurrency.findNextChange(this.#clock.nowNs() - this.#startNs);
    return change === undefined ? Number.POSITIVE_INFINITY : this.#startNs + change;
  }

  /** Maximum number of sessions; each session has at least one request. */
  get #maxSessions(): number {
    return Math.min(this.#plan.sessionCount, this.#plan.requestCount);
  }

  /** True if all threads share the slots. */
  get #isShared(): boolean {
    return this.#plan.createArrivals !== undefined && this.#plan.concurrency.isLimited;
  }

  #takeSlot(intendedNs: number): boolean {
    const { ledger, worker } = this.#share;
    const isFree = this.#isShared
      ? ledger.takeSlot(worker, intendedNs, this.#countSlots())
      : this.#plan.createArrivals !== undefined ||
        this.#active < Math.ceil((this.#countSlots() - worker) / ledger.workers);
    if (!isFree) return false;
    this.#active += 1;
    this.#hasChanged = true;
    return true;
  }

  /** Returns the current number of slots of all threads together. */
  #countSlots(): number {
    return this.#plan.concurrency.countSlots(this.#clock.nowNs() - this.#startNs);
  }
}
