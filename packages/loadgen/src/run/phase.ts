import { randomUUID } from 'node:crypto';
import type { RunClock } from '../clock.ts';
import { type Failure, failure } from '../failure.ts';
import type { Conversation } from '../input/conversation.ts';
import type { PhaseName } from '../record.ts';
import { Alarm } from '../schedule/alarm.ts';
import type { Arrivals } from '../schedule/arrivals.ts';
import type { Concurrency } from '../schedule/concurrency.ts';
import type { PhaseSummary, StopReason } from './options.ts';
import { failureIn } from './outcome.ts';
import type { Sending } from './sending.ts';
import { Session } from './session.ts';

/** One request that is to be sent. */
export interface Credit {
  readonly phase: PhaseName;
  readonly index: number;
  readonly session: Session;
  readonly intendedNs: number;
}

/** Sends what a credit stands for, and tells when it is over. */
export type SendCredit = (credit: Credit, finished: (sending: Sending) => void) => Sending;

export interface PhasePlan {
  readonly phase: PhaseName;
  readonly concurrency: Concurrency;
  /** Times by which requests are sent; undefined in closed loop. */
  readonly arrivals: Arrivals | undefined;
  /** Whether the arrivals are those of conversations, and later turns follow by themselves. */
  readonly isScheduled: boolean;
  readonly requestCount: number;
  readonly sessionCount: number;
  readonly durationNs: number;
  readonly graceNs: number;
}

/**
 * One phase of a run. In closed loop a new session begins when one ends; in open loop when the clock says so, and then late
 * when no place is free. With a rate, each arrival first takes up a session whose next turn is due: the rate is one of requests.
 */
export class Phase {
  readonly #plan: PhasePlan;
  readonly #clock: RunClock;
  readonly #send: SendCredit;
  readonly #next: () => Conversation;
  readonly #onSent: () => void;
  readonly #alarm: Alarm;
  readonly #underWay = new Set<Sending>();
  /** Between an answer and the next turn of its session. */
  readonly #pauses = new Set<NodeJS.Timeout>();
  /** End of the duration, then of the grace period. */
  #limit: NodeJS.Timeout | undefined;
  /** Arrivals that are due and have not been served, ns of the run. */
  readonly #due: number[] = [];
  /** Sessions whose next turn waits for an arrival. */
  readonly #ready: Session[] = [];
  #startNs = 0;
  #sentNs = 0;
  #nextArrivalNs: number | undefined;
  #sessions = 0;
  #active = 0;
  #sent = 0;
  #succeeded = 0;
  #failed = 0;
  #cancelled = 0;
  #unsent = 0;
  #stopped: StopReason | undefined;
  #ended: (() => void) | undefined;

  constructor(
    plan: PhasePlan,
    clock: RunClock,
    next: () => Conversation,
    send: SendCredit,
    onSent: () => void,
  ) {
    this.#plan = plan;
    this.#clock = clock;
    this.#next = next;
    this.#send = send;
    this.#onSent = onSent;
    this.#alarm = new Alarm(clock, () => this.#go());
  }

  /** Requests sent, under way, and ended with and without success so far. */
  get progress(): { sent: number; underWay: number; succeeded: number; failed: number } {
    return {
      sent: this.#sent,
      underWay: this.#underWay.size,
      succeeded: this.#succeeded,
      failed: this.#failed,
    };
  }

  /** Runs the phase to its end. */
  async run(): Promise<PhaseSummary> {
    this.#startNs = this.#clock.now();
    const ended = new Promise<void>(resolve => {
      this.#ended = resolve;
    });
    this.#advanceArrival();
    const { durationNs } = this.#plan;
    if (Number.isFinite(durationNs)) this.#limit = this.#after(durationNs / 1e6, () => this.#endOfTime());
    this.#go();
    await ended;
    return this.#summary();
  }

  /** Sends nothing more and cuts what is under way. */
  interrupt(): void {
    this.#stop('interrupted');
    this.#cut(failure('Interrupted', 'the run was interrupted', 499));
  }

  /** Does all that is to be done now, and sets the alarm for the next time. */
  #go(): void {
    this.#collectDue();
    while (this.#stopped === undefined && this.#issue()) {
      // All that may be sent is sent at once.
    }
    // Arrivals that nobody is left for: an old one must not make a later turn look late.
    if (this.#sessions >= this.#plan.sessionCount && this.#ready.length === 0) this.#due.length = 0;
    if (this.#isOver()) this.#end();
    else this.#setAlarm();
  }

  #collectDue(): void {
    const now = this.#clock.now();
    while (this.#stopped === undefined && this.#nextArrivalNs !== undefined && this.#nextArrivalNs <= now) {
      this.#due.push(this.#nextArrivalNs);
      this.#advanceArrival();
    }
  }

  /** Sends one request, if one may be sent. */
  #issue(): boolean {
    const { arrivals, isScheduled, requestCount, sessionCount } = this.#plan;
    if (this.#sent >= requestCount) {
      this.#stop('requests');
      return false;
    }
    const intendedNs = arrivals ? this.#due[0] : this.#clock.now();
    if (intendedNs === undefined) return false;
    const session = isScheduled ? undefined : this.#ready.shift();
    if (!session) {
      if (this.#sessions >= sessionCount || this.#active >= this.#places()) return false;
      this.#active += 1;
    }
    if (arrivals) this.#due.shift();
    this.#request(session ?? this.#newSession(), intendedNs);
    return true;
  }

  #places(): number {
    return this.#plan.concurrency.placesAt(this.#clock.now() - this.#startNs);
  }

  #newSession(): Session {
    return new Session(this.#next(), this.#sessions++, randomUUID());
  }

  #request(session: Session, intendedNs: number): void {
    const credit: Credit = { phase: this.#plan.phase, index: this.#sent++, session, intendedNs };
    const sending = this.#send(credit, over => this.#over(over, session));
    this.#underWay.add(sending);
    if (this.#sent >= this.#plan.requestCount) this.#stop('requests');
  }

  #over(sending: Sending, session: Session): void {
    this.#underWay.delete(sending);
    const isFailed = failureIn(sending.answer) !== undefined;
    if (isFailed) this.#failed += 1;
    else this.#succeeded += 1;
    if (sending.cancelledNs !== undefined) this.#cancelled += 1;
    // Without the answer there is nothing that a next turn could follow.
    const goesOn = !isFailed && this.#stopped === undefined && session.advance(sending.answer.text.joined(0));
    if (goesOn) this.#followUp(session);
    else this.#active -= 1;
    this.#go();
  }

  #followUp(session: Session): void {
    const delayMs = session.current.delayMs ?? 0;
    const intendedNs = this.#clock.now() + delayMs * 1e6;
    const due = (): void => {
      if (this.#stopped !== undefined) return;
      if (this.#plan.arrivals && !this.#plan.isScheduled) this.#ready.push(session);
      else this.#request(session, intendedNs);
    };
    if (delayMs <= 0) due();
    else {
      const timer = this.#after(delayMs, () => {
        this.#pauses.delete(timer);
        due();
        this.#go();
      });
      this.#pauses.add(timer);
    }
  }

  #isOver(): boolean {
    if (this.#underWay.size > 0) return false;
    if (this.#stopped !== undefined) return true;
    if (this.#active > 0) return false;
    if (this.#sessions >= this.#plan.sessionCount)
      this.#stop(this.#plan.isScheduled ? 'schedule' : 'sessions');
    else if (this.#plan.arrivals && this.#nextArrivalNs === undefined && this.#due.length === 0)
      this.#stop('schedule');
    return this.#stopped !== undefined;
  }

  #setAlarm(): void {
    if (this.#stopped !== undefined) return;
    const ramp = this.#plan.concurrency.nextChange(this.#clock.now() - this.#startNs);
    const placeNs = ramp === undefined ? Number.POSITIVE_INFINITY : this.#startNs + ramp;
    this.#alarm.set(Math.min(placeNs, this.#nextArrivalNs ?? Number.POSITIVE_INFINITY));
  }

  #advanceArrival(): void {
    const next = this.#plan.arrivals?.next();
    this.#nextArrivalNs = next === undefined ? undefined : this.#startNs + next;
  }

  #stop(reason: StopReason): void {
    if (this.#stopped !== undefined) return;
    // What was due and could not be sent must not be forgotten; beyond the last request nothing was due.
    if (reason === 'duration' || reason === 'interrupted') {
      this.#collectDue();
      this.#unsent = this.#due.length;
    }
    this.#stopped = reason;
    this.#sentNs = this.#clock.now();
    this.#alarm.clear();
    for (const timer of this.#pauses) clearTimeout(timer);
    this.#pauses.clear();
    this.#onSent();
  }

  /** The time is up: what is under way has its grace period. */
  #endOfTime(): void {
    this.#stop('duration');
    const { graceNs } = this.#plan;
    const tooLate = failure(
      'Interrupted',
      `still under way ${graceNs / 1e9} s after the end of the phase`,
      499,
    );
    if (this.#underWay.size > 0 && Number.isFinite(graceNs))
      this.#limit = this.#after(graceNs / 1e6, () => this.#cut(tooLate));
    this.#go();
  }

  #cut(reason: Failure): void {
    for (const sending of this.#underWay) sending.cancel(reason);
    if (this.#underWay.size === 0) this.#end();
  }

  #after(delayMs: number, act: () => void): NodeJS.Timeout {
    return setTimeout(act, Math.min(delayMs, 2 ** 31 - 1));
  }

  #end(): void {
    clearTimeout(this.#limit);
    this.#ended?.();
    this.#ended = undefined;
  }

  #summary(): PhaseSummary {
    return {
      phase: this.#plan.phase,
      startNs: this.#startNs,
      sentNs: this.#sentNs,
      endNs: this.#clock.now(),
      sent: this.#sent,
      succeeded: this.#succeeded,
      failed: this.#failed,
      cancelled: this.#cancelled,
      sessions: this.#sessions,
      unsent: this.#unsent,
      stopped: this.#stopped!,
    };
  }
}
