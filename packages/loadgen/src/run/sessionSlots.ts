import type { RunClock } from '../clock.ts';
import type { WorkerShare } from './phaseCoordinator.ts';
import type { PhasePlan } from './phasePlan.ts';

/**
 * The sessions of a phase and the concurrency slots that they need. In closed loop, slots are dealt to the threads like sessions,
 * and a thread that has used its sessions takes sessions of other threads. In open loop with a concurrency limit, slots are shared and the
 * oldest arrival of all threads takes the next free one.
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

  /** `startNs` is the start of the phase, in ns of the run; the ramp of slots begins there. */
  start(startNs: number): void {
    this.#startNs = startNs;
  }

  /** Number of active sessions of this thread. */
  get active(): number {
    return this.#active;
  }

  /**
   * Reports whether this thread can start another session. In open loop it starts only the sessions dealt to it, so that runs are
   * reproducible.
   */
  hasSession(): boolean {
    const { ledger, worker } = this.#share;
    return this.#plan.arrivals
      ? ledger.hasSession(worker, this.#maxSessions)
      : ledger.hasAnySession(this.#maxSessions);
  }

  /** Takes a slot and the next session for an arrival; undefined if there is no slot or no session. */
  take(intendedNs: number): number | undefined {
    const { ledger, worker } = this.#share;
    if (!this.hasSession() || !this.#takeSlot(intendedNs)) return undefined;
    const max = this.#maxSessions;
    const number = this.#plan.arrivals ? ledger.takeSession(worker, max) : ledger.takeAnySession(worker, max);
    if (number === undefined) this.release();
    return number;
  }

  /** Releases the slot of a session. */
  release(): void {
    this.#active -= 1;
    if (this.#isShared) this.#share.ledger.releaseSlot();
    this.#hasChanged = true;
  }

  /** Withdraws this thread's waiting arrival, so that younger ones of other threads may take a free slot. */
  stopWaiting(): void {
    const { ledger, worker } = this.#share;
    if (this.#isShared && ledger.stopWaiting(worker)) this.#hasChanged = true;
  }

  /**
   * Wakes the other threads if one of them may be waiting for a slot that is now free, or for a session that no longer exists. A
   * thread that changes the ledger does so before it checks who waits; a thread that waits announces it before it checks the ledger.
   * So one of the two always sees the other, and wake-ups are queued: none is lost.
   */
  notifyOthers(): void {
    const { ledger, worker, wakeOthers } = this.#share;
    if (!this.#hasChanged || ledger.workers === 1) return;
    this.#hasChanged = false;
    const isNeeded = this.#isShared
      ? ledger.hasOtherWaiting(worker) && ledger.active < this.#countSlots()
      : this.#plan.arrivals === undefined && !this.hasSession();
    if (isNeeded) wakeOthers();
  }

  /** Returns when the ramp adds the next slot, in ns of the run; infinity after the ramp. */
  findNextChangeNs(): number {
    const change = this.#plan.concurrency.findNextChange(this.#clock.now() - this.#startNs);
    return change === undefined ? Number.POSITIVE_INFINITY : this.#startNs + change;
  }

  /** There cannot be more sessions than requests. */
  get #maxSessions(): number {
    return Math.min(this.#plan.sessionCount, this.#plan.requestCount);
  }

  /** True if all threads share the slots. */
  get #isShared(): boolean {
    return this.#plan.arrivals !== undefined && this.#plan.concurrency.isLimited;
  }

  #takeSlot(intendedNs: number): boolean {
    const { ledger, worker } = this.#share;
    const isFree = this.#isShared
      ? ledger.takeSlot(worker, intendedNs, this.#countSlots())
      : this.#plan.arrivals !== undefined ||
        this.#active < Math.ceil((this.#countSlots() - worker) / ledger.workers);
    if (!isFree) return false;
    this.#active += 1;
    this.#hasChanged = true;
    return true;
  }

  /** Returns the current number of slots of all threads together. */
  #countSlots(): number {
    return this.#plan.concurrency.countSlots(this.#clock.now() - this.#startNs);
  }
}
