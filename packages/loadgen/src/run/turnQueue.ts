import type { RunClock } from '../clock.ts';
import { PreciseTimer } from '../schedule/preciseTimer.ts';
import type { PhasePlan } from './phasePlan.ts';
import type { Session } from './session.ts';

/** Callbacks of a {@link TurnQueue}. */
export interface TurnQueueCallbacks {
  /** Sends the turn of a session now. */
  readonly send: (session: Session, intendedNs: number) => void;
  /** Called after a turn has become due; not called for turns that are due when they are added. */
  readonly onDue: () => void;
}

/** A turn that is due, and its intended send time in ns since the run's origin. */
export interface DueTurn {
  readonly session: Session;
  readonly intendedNs: number;
}

/** The parts of a plan that determine when turns are sent. */
type TurnPlan = Pick<PhasePlan, 'createArrivals' | 'isScheduled' | 'prefill' | 'users'>;

/**
 * Schedules the turns after the first turn of each session. A turn is sent after its delay, at its time in a
 * fixed schedule, or a fixed time after the previous turn of its user, and never before the previous response has
 * ended. With a request rate, a turn that is due waits for the next arrival; with a prefill limit, for a free slot.
 */
export class TurnQueue {
  readonly #plan: TurnPlan;
  readonly #clock: RunClock;
  readonly #callbacks: TurnQueueCallbacks;
  /** Timers of the turns that are not yet due. */
  readonly #timers = new Set<PreciseTimer>();
  /** Turns that are due and wait for an arrival or a prefill slot. */
  readonly #waiting: DueTurn[] = [];
  #startNs = 0;

  constructor(plan: TurnPlan, clock: RunClock, callbacks: TurnQueueCallbacks) {
    this.#plan = plan;
    this.#clock = clock;
    this.#callbacks = callbacks;
  }

  /** Sets the start of the phase, in ns since the run's origin. */
  start(startNs: number): void {
    this.#startNs = startNs;
  }

  /** Adds the current turn of a session whose previous response has ended. Sends it if it is due. */
  add(session: Session): void {
    const intendedNs = this.#computeSendTime(session);
    if (intendedNs <= this.#clock.nowNs()) {
      this.#sendOrQueue(session, intendedNs);
      return;
    }
    const timer = new PreciseTimer(this.#clock, () => {
      this.#timers.delete(timer);
      this.#sendOrQueue(session, intendedNs);
      this.#callbacks.onDue();
    });
    this.#timers.add(timer);
    timer.set(intendedNs);
  }

  /** True if each turn that is due takes an arrival, because a rate counts requests. */
  get takesArrivals(): boolean {
    return this.#plan.createArrivals !== undefined && !this.#plan.isScheduled;
  }

  /** True if a turn waits. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Takes the turn that has been waiting the longest. */
  takeWaiting(): DueTurn | undefined {
    return this.#waiting.shift();
  }

  /** Drops the turns that are not yet due. */
  clear(): void {
    for (const timer of this.#timers) timer.clear();
    this.#timers.clear();
  }

  #sendOrQueue(session: Session, intendedNs: number): void {
    if (this.takesArrivals || this.#plan.prefill) this.#waiting.push({ session, intendedNs });
    else this.#callbacks.send(session, intendedNs);
  }

  /**
   * Returns the intended send time of a turn. In a fixed schedule, it may be before the end of the previous
   * response.
   */
  #computeSendTime({ current: { atMs, delayMs = 0 }, dueNs }: Session): number {
    const { isScheduled, users } = this.#plan;
    // A user whose response was late continues from the current time.
    if (users) return Math.max(this.#clock.nowNs(), dueNs + users.gapS * 1e9);
    if (isScheduled && atMs !== undefined) return this.#startNs + Math.round(atMs * 1e6);
    return this.#clock.nowNs() + delayMs * 1e6;
  }
}
