import type { RunClock } from '../clock.ts';
import { PreciseTimer } from '../schedule/preciseTimer.ts';
import type { PhasePlan } from './phasePlan.ts';
import type { Session } from './session.ts';

/** Callbacks of a {@link TurnQueue}. */
export interface TurnQueueCallbacks {
  /** Sends the turn of a session now. */
  readonly send: (session: Session, intendedNs: number) => void;
  /** Called after a waiting turn has become due; not called for turns that are due when they are added. */
  readonly onDue: () => void;
}

/**
 * Schedules the turns after the first turn of each session. A turn is sent after its delay, or at its time in a
 * fixed schedule, and never before the previous response has ended. With a request rate, a turn that is due
 * waits for the next arrival.
 */
export class TurnQueue {
  readonly #plan: Pick<PhasePlan, 'createArrivals' | 'isScheduled'>;
  readonly #clock: RunClock;
  readonly #callbacks: TurnQueueCallbacks;
  /** Timers of the turns that are not yet due. */
  readonly #timers = new Set<PreciseTimer>();
  /** Sessions whose next turn waits for an arrival. */
  readonly #waiting: Session[] = [];
  #startNs = 0;

  constructor(
    plan: Pick<PhasePlan, 'createArrivals' | 'isScheduled'>,
    clock: RunClock,
    callbacks: TurnQueueCallbacks,
  ) {
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

  /** True if a session waits for an arrival. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Takes the session that has been waiting for an arrival the longest. */
  takeWaiting(): Session | undefined {
    return this.#waiting.shift();
  }

  /** Drops the turns that are not yet due. */
  clear(): void {
    for (const timer of this.#timers) timer.clear();
    this.#timers.clear();
  }

  #sendOrQueue(session: Session, intendedNs: number): void {
    if (this.#plan.createArrivals && !this.#plan.isScheduled) this.#waiting.push(session);
    else this.#callbacks.send(session, intendedNs);
  }

  /**
   * Returns the intended send time of a turn. In a fixed schedule, it may be before the end of the previous
   * response.
   */
  #computeSendTime({ current: { atMs, delayMs = 0 } }: Session): number {
    if (this.#plan.isScheduled && atMs !== undefined) return this.#startNs + Math.round(atMs * 1e6);
    return this.#clock.nowNs() + delayMs * 1e6;
  }
}
