import { randomUUID } from 'node:crypto';
import { toRunNumber } from '@org/core';
import type { RunClock } from '../clock.ts';
import type { Conversation } from '../input/conversation.ts';
import { ArrivalQueue } from './arrivalQueue.ts';
import type { StopReason } from './loadSummary.ts';
import type { WorkerShare } from './phaseCoordinator.ts';
import type { PhasePlan } from './phasePlan.ts';
import type { PrefillSlots } from './prefillSlots.ts';
import { Session } from './session.ts';
import type { SessionSlots } from './sessionSlots.ts';
import type { TurnQueue } from './turnQueue.ts';

/**
 * Maximum time to send requests before sockets are served, in ns. If 200 requests were started at once, the
 * first connections would be noticed only after the last request was started, and that wait would count as
 * server latency.
 */
const MAX_SEND_NS = 0.5e6;

/** The limits of a phase, and its turns after the first. */
export interface SchedulerQueues {
  readonly slots: SessionSlots;
  readonly prefills: PrefillSlots;
  readonly turns: TurnQueue;
}

/** Callbacks of a {@link RequestScheduler}. */
export interface SchedulerCallbacks {
  /** Returns the conversation of a session. */
  readonly getConversation: (session: number) => Conversation;
  /** Reports whether the phase may send another request. */
  readonly maySend: () => boolean;
  /** Sends the current turn of a session; its prefill slot has been taken. */
  readonly send: (session: Session, intendedNs: number) => void;
}

/** The parts of a plan that determine the order of requests. */
type SchedulerPlan = Pick<PhasePlan, 'createArrivals' | 'isScheduled' | 'users' | 'shard'>;

/**
 * Selects the requests that a phase sends: turns that are due, and the first turns of new sessions. A request needs a
 * prefill slot. In open loop, it serves an arrival, except for turns in a fixed schedule. A new session needs a concurrency slot.
 */
export class RequestScheduler {
  readonly #plan: SchedulerPlan;
  readonly #clock: RunClock;
  readonly #share: WorkerShare;
  readonly #arrivals: ArrivalQueue;
  readonly #slots: SessionSlots;
  readonly #prefills: PrefillSlots;
  readonly #turns: TurnQueue;
  readonly #callbacks: SchedulerCallbacks;

  constructor(
    plan: SchedulerPlan,
    clock: RunClock,
    share: WorkerShare,
    { slots, prefills, turns }: SchedulerQueues,
    callbacks: SchedulerCallbacks,
  ) {
    this.#plan = plan;
    this.#clock = clock;
    this.#share = share;
    this.#arrivals = new ArrivalQueue(plan.createArrivals, {
      worker: share.worker,
      workers: share.ledger.workers,
    });
    this.#slots = slots;
    this.#prefills = prefills;
    this.#turns = turns;
    this.#callbacks = callbacks;
  }

  /** Draws the first arrival. `startNs` is the start of the phase, in ns since the run's origin. */
  start(startNs: number): void {
    this.#arrivals.start(startNs);
  }

  /** Marks the arrivals up to the current time as due. Returns the number of arrivals that are due. */
  collectArrivals(): number {
    this.#arrivals.collect(this.#clock.nowNs());
    return this.#arrivals.dueCount;
  }

  /** Sends requests for up to `MAX_SEND_NS`. Returns true if all requests that may be sent now were sent. */
  sendDue(): boolean {
    const endNs = this.#clock.nowNs() + MAX_SEND_NS;
    while (this.#callbacks.maySend() && this.#sendNext()) if (this.#clock.nowNs() >= endNs) return false;
    return true;
  }

  /** Updates what other threads see after requests were sent. */
  settle(): void {
    // Drop arrivals if no session is left to serve them, so that an old arrival does not make a later turn look late.
    if (!this.#turns.hasWaiting && !this.#slots.hasSession()) this.#arrivals.clear();
    if (this.#arrivals.dueCount === 0) this.#slots.stopWaiting();
    this.#slots.notifyOthers();
  }

  /** Returns when another request may be sent, in ns since the run's origin; infinity if only an event allows it. */
  findNextChangeNs(): number {
    return Math.min(
      this.#slots.findNextChangeNs(),
      this.#prefills.findNextChangeNs(),
      this.#arrivals.nextNs ?? Number.POSITIVE_INFINITY,
    );
  }

  /** Returns why no further session will start; undefined if one may. */
  findEnd(): StopReason | undefined {
    const { isScheduled, users, createArrivals } = this.#plan;
    if (!this.#slots.hasSession()) return isScheduled && !users ? 'schedule' : 'sessions';
    return createArrivals && this.#arrivals.isEmpty ? 'schedule' : undefined;
  }

  /** Sends one request; returns false if none may be sent now. */
  #sendNext(): boolean {
    if (!this.#prefills.take()) {
      this.#slots.stopWaiting();
      return false;
    }
    if (this.#continueSession() || this.#serveArrival()) return true;
    this.#prefills.release();
    return false;
  }

  /** Sends the turn that has been due the longest, if turns do not wait for arrivals. Returns false if no turn is due. */
  #continueSession(): boolean {
    const turn = this.#turns.takesArrivals ? undefined : this.#turns.takeWaiting();
    if (turn) this.#callbacks.send(turn.session, turn.intendedNs);
    return turn !== undefined;
  }

  /** Sends a request for the oldest arrival, or now in closed loop. Returns false if none may be sent. */
  #serveArrival(): boolean {
    const { createArrivals: isOpenLoop } = this.#plan;
    const intendedNs = isOpenLoop ? this.#arrivals.oldestDueNs : this.#clock.nowNs();
    if (intendedNs === undefined) return false;
    if (this.#share.isPaused()) {
      this.#slots.stopWaiting();
      return false;
    }
    const session = this.#turns.takeWaiting()?.session ?? this.#startSession(intendedNs);
    if (!session) return false;
    if (isOpenLoop) {
      this.#arrivals.removeOldest();
      // The arrival may have waited for a slot before it continued an active session, which needs no slot.
      this.#slots.stopWaiting();
    }
    this.#callbacks.send(session, intendedNs);
    return true;
  }

  #startSession(intendedNs: number): Session | undefined {
    const number = this.#slots.take(intendedNs);
    if (number === undefined) return undefined;
    const conversation = this.#callbacks.getConversation(number);
    return new Session(conversation, toRunNumber(number, this.#plan.shard), randomUUID());
  }
}
