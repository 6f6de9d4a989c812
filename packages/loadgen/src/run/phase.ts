import { randomUUID } from 'node:crypto';
import type { RunClock } from '../clock.ts';
import { type Failure, failure } from '../failure.ts';
import type { Conversation } from '../input/conversation.ts';
import type { PhaseName } from '../requestRecord.ts';
import type { Arrivals } from '../schedule/arrivalSchedule.ts';
import type { Concurrency } from '../schedule/concurrencyLimit.ts';
import { Alarm } from '../schedule/preciseTimer.ts';
import type { Sending } from './inFlightRequest.ts';
import type { PhaseSummary, StopReason } from './loadOptions.ts';
import type { Share } from './phaseCoordinator.ts';
import { failureIn } from './recordFields.ts';
import { Session } from './session.ts';

/**
 * Longest time for which requests are sent at a stretch, ns: then sockets have their turn. Two hundred that are begun at once would all
 * wait for the last one before any of them is told that it is connected, which would count as the server's latency.
 */
const STRETCH_NS = 0.5e6;

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
 *
 * Several threads that run the same phase divide it by their ledger: the places of a closed loop and the arrivals of an open one are
 * dealt out in turn, the numbers of requests and the places of a capped rate are taken from what they have in common.
 */
export class Phase {
  readonly #plan: PhasePlan;
  readonly #clock: RunClock;
  readonly #share: Share;
  readonly #send: SendCredit;
  readonly #next: (session: number) => Conversation;
  readonly #onSent: () => void;
  readonly #alarm: Alarm;
  readonly #underWay = new Set<Sending>();
  /** Between an answer and the next turn of its session. */
  readonly #pauses = new Set<Alarm>();
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
  #unsent = 0;
  /** A place was taken or given back since other threads were told. */
  #hasMoved = false;
  #stopped: StopReason | undefined;
  #ended: (() => void) | undefined;

  constructor(
    plan: PhasePlan,
    clock: RunClock,
    share: Share,
    next: (session: number) => Conversation,
    send: SendCredit,
    onSent: () => void,
  ) {
    this.#plan = plan;
    this.#clock = clock;
    this.#share = share;
    this.#next = next;
    this.#send = send;
    this.#onSent = onSent;
    this.#alarm = new Alarm(clock, () => this.#go());
  }

  /** Runs the phase to its end, from a time of the run on. */
  async run(startNs: number): Promise<PhaseSummary> {
    this.#startNs = startNs;
    const ended = new Promise<void>(resolve => {
      this.#ended = resolve;
    });
    this.#skipArrivals(this.#share.worker);
    this.#advanceArrival();
    const { durationNs } = this.#plan;
    const lead = startNs - this.#clock.now();
    if (Number.isFinite(durationNs))
      this.#limit = this.#after((lead + durationNs) / 1e6, () => this.#endOfTime());
    if (lead > 0) this.#alarm.set(startNs);
    else this.#go();
    await ended;
    return this.#summary();
  }

  /** Looks whether there is something to do: another thread has changed the ledger. */
  wake(): void {
    if (this.#stopped === undefined && this.#clock.now() >= this.#startNs) this.#go();
  }

  /** Sends nothing more and cuts what is under way. */
  interrupt(): void {
    this.#stop('interrupted');
    this.#cut(failure('Interrupted', 'the run was interrupted', 499));
  }

  /** Does all that is to be done now, and sets the alarm for the next time. */
  #go(): void {
    this.#collectDue();
    const isDone = this.#issueStretch();
    // Arrivals that nobody is left for: an old one must not make a later turn look late.
    if (this.#ready.length === 0 && !this.#hasSession()) this.#due.length = 0;
    if (this.#due.length === 0) this.#stopWaiting();
    this.#tellOthers();
    if (this.#isOver()) this.#end();
    else this.#setAlarm(isDone);
  }

  #collectDue(): void {
    const now = this.#clock.now();
    while (this.#stopped === undefined && this.#nextArrivalNs !== undefined && this.#nextArrivalNs <= now) {
      this.#due.push(this.#nextArrivalNs);
      this.#advanceArrival();
    }
  }

  /** Sends all that may be sent, or as much of it as can be sent at a stretch; whether that was all. */
  #issueStretch(): boolean {
    const endNs = this.#clock.now() + STRETCH_NS;
    while (this.#stopped === undefined && this.#issue()) if (this.#clock.now() >= endNs) return false;
    return true;
  }

  /** Sends one request, if one may be sent. */
  #issue(): boolean {
    const { arrivals, requestCount } = this.#plan;
    if (this.#share.ledger.requests >= requestCount) {
      this.#stop('requests');
      return false;
    }
    const intendedNs = arrivals ? this.#due[0] : this.#clock.now();
    if (intendedNs === undefined) return false;
    if (this.#share.isHeld()) {
      this.#stopWaiting();
      return false;
    }
    const session = this.#waitingSession() ?? this.#newSession(intendedNs);
    if (!session) return false;
    if (arrivals) {
      this.#due.shift();
      // A session that goes on needs no place: the arrival may have waited for one before.
      this.#stopWaiting();
    }
    this.#request(session, intendedNs);
    return true;
  }

  #waitingSession(): Session | undefined {
    return this.#plan.isScheduled ? undefined : this.#ready.shift();
  }

  /** Begins a session, if there is one and a place for it. */
  #newSession(intendedNs: number): Session | undefined {
    const { ledger, worker } = this.#share;
    if (!this.#hasSession() || !this.#enter(intendedNs)) return undefined;
    const most = this.#mostSessions;
    const number = this.#plan.arrivals
      ? ledger.takeSession(worker, most)
      : ledger.takeAnySession(worker, most);
    if (number === undefined) {
      this.#leave();
      return undefined;
    }
    return new Session(this.#next(number), number, randomUUID());
  }

  /** More sessions than requests cannot be. */
  get #mostSessions(): number {
    return Math.min(this.#plan.sessionCount, this.#plan.requestCount);
  }

  /** Whether a session is left to begin. Arrivals are for the sessions that were dealt to this thread, so that a seed repeats them. */
  #hasSession(): boolean {
    const { ledger, worker } = this.#share;
    return this.#plan.arrivals
      ? ledger.hasSession(worker, this.#mostSessions)
      : ledger.hasAnySession(this.#mostSessions);
  }

  /** Whether places are common to all threads. */
  get #isShared(): boolean {
    return this.#plan.arrivals !== undefined && this.#plan.concurrency.isLimited;
  }

  #enter(intendedNs: number): boolean {
    const { ledger, worker } = this.#share;
    const isFree = this.#isShared
      ? ledger.enter(worker, intendedNs, this.#places())
      : this.#plan.arrivals !== undefined ||
        this.#active < Math.ceil((this.#places() - worker) / ledger.workers);
    if (!isFree) return false;
    this.#active += 1;
    this.#hasMoved = true;
    return true;
  }

  /** Places of all threads together. */
  #places(): number {
    return this.#plan.concurrency.placesAt(this.#clock.now() - this.#startNs);
  }

  #leave(): void {
    this.#active -= 1;
    if (this.#isShared) this.#share.ledger.leave();
    this.#hasMoved = true;
  }

  /** Arrivals of this thread wait no longer: younger ones of other threads may have a place that is free. */
  #stopWaiting(): void {
    const { ledger, worker } = this.#share;
    if (this.#isShared && ledger.stopWaiting(worker)) this.#hasMoved = true;
  }

  /**
   * A place may be free for an arrival of another thread, or the last session is taken that one waits for. Whoever changes what
   * another thread waits for changes the ledger first and looks then who waits; whoever waits says so first and looks then. Either
   * the one sees the wait or the other sees the change, and a nudge lies in a queue until it is heard: no wake-up is lost.
   */
  #tellOthers(): void {
    const { ledger, worker, nudge } = this.#share;
    if (!this.#hasMoved || ledger.workers === 1) return;
    this.#hasMoved = false;
    const isWanted = this.#isShared
      ? ledger.othersWait(worker) && ledger.active < this.#places()
      : this.#plan.arrivals === undefined && !this.#hasSession();
    if (isWanted) nudge();
  }

  #request(session: Session, intendedNs: number): void {
    const { ledger, worker, nudge } = this.#share;
    const { requestCount } = this.#plan;
    const index = ledger.takeRequest(requestCount);
    if (index === undefined) {
      this.#leave();
      this.#stop('requests');
      return;
    }
    ledger.add(worker, 'sent');
    // One that comes too late for its first request was none.
    if (session.turn === 0) this.#sessions += 1;
    const credit: Credit = { phase: this.#plan.phase, index, session, intendedNs };
    const sending = this.#send(credit, over => this.#over(over, session));
    this.#underWay.add(sending);
    if (index + 1 < requestCount) return;
    this.#stop('requests');
    nudge();
  }

  #over(sending: Sending, session: Session): void {
    this.#underWay.delete(sending);
    const { ledger, worker } = this.#share;
    const isFailed = failureIn(sending.answer) !== undefined;
    ledger.add(worker, isFailed ? 'failed' : 'succeeded');
    if (sending.cancelledNs !== undefined) ledger.add(worker, 'cancelled');
    // Without the answer there is nothing that a next turn could follow.
    const goesOn = !isFailed && this.#stopped === undefined && session.advance(sending.answer.text.joined(0));
    if (goesOn) this.#followUp(session);
    else this.#leave();
    this.#go();
  }

  #followUp(session: Session): void {
    const intendedNs = this.#intendedNs(session);
    const due = (): void => {
      if (this.#stopped !== undefined) return;
      if (this.#plan.arrivals && !this.#plan.isScheduled) this.#ready.push(session);
      else this.#request(session, intendedNs);
    };
    if (intendedNs <= this.#clock.now()) {
      due();
      return;
    }
    const alarm = new Alarm(this.#clock, () => {
      this.#pauses.delete(alarm);
      due();
      this.#go();
    });
    this.#pauses.add(alarm);
    alarm.set(intendedNs);
  }

  /** When the next turn of a session is to be sent. In a schedule that may have been while the answer before was awaited. */
  #intendedNs({ current: { atMs, delayMs = 0 } }: Session): number {
    if (this.#plan.isScheduled && atMs !== undefined) return this.#startNs + Math.round(atMs * 1e6);
    return this.#clock.now() + delayMs * 1e6;
  }

  #isOver(): boolean {
    if (this.#underWay.size > 0) return false;
    if (this.#stopped !== undefined) return true;
    if (this.#active > 0) return false;
    if (!this.#hasSession()) this.#stop(this.#plan.isScheduled ? 'schedule' : 'sessions');
    else if (this.#plan.arrivals && this.#nextArrivalNs === undefined && this.#due.length === 0)
      this.#stop('schedule');
    return this.#stopped !== undefined;
  }

  #setAlarm(isDone: boolean): void {
    if (this.#stopped !== undefined) return;
    if (!isDone) {
      this.#alarm.set(this.#clock.now());
      return;
    }
    const ramp = this.#plan.concurrency.nextChange(this.#clock.now() - this.#startNs);
    const placeNs = ramp === undefined ? Number.POSITIVE_INFINITY : this.#startNs + ramp;
    this.#alarm.set(Math.min(placeNs, this.#nextArrivalNs ?? Number.POSITIVE_INFINITY));
  }

  #advanceArrival(): void {
    const next = this.#plan.arrivals?.next();
    this.#nextArrivalNs = next === undefined ? undefined : this.#startNs + next;
    // The ones in between are those of the other threads.
    this.#skipArrivals(this.#share.ledger.workers - 1);
  }

  #skipArrivals(count: number): void {
    for (let skipped = 0; skipped < count; skipped++) this.#plan.arrivals?.next();
  }

  #stop(reason: StopReason): void {
    if (this.#stopped !== undefined) return;
    // What was due and could not be sent must not be forgotten; beyond the last request nothing was due.
    if (reason === 'duration' || reason === 'interrupted') {
      this.#collectDue();
      this.#unsent = this.#due.length;
    }
    this.#stopped = reason;
    this.#sentNs = this.#nowInPhase();
    this.#alarm.clear();
    for (const alarm of this.#pauses) alarm.clear();
    this.#pauses.clear();
    this.#stopWaiting();
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

  /** A phase that is cut before its beginning ends there. */
  #nowInPhase(): number {
    return Math.max(this.#startNs, this.#clock.now());
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
    const { ledger, worker } = this.#share;
    return {
      phase: this.#plan.phase,
      startNs: this.#startNs,
      sentNs: this.#sentNs,
      endNs: this.#nowInPhase(),
      sent: ledger.count(worker, 'sent'),
      succeeded: ledger.count(worker, 'succeeded'),
      failed: ledger.count(worker, 'failed'),
      cancelled: ledger.count(worker, 'cancelled'),
      sessions: this.#sessions,
      unsent: this.#unsent,
      stopped: this.#stopped!,
    };
  }
}
