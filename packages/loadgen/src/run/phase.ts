import { toRunNumber } from '@org/core';
import type { RunClock } from '../clock.ts';
import { createFailure, type Failure } from '../failure.ts';
import { PreciseTimer } from '../schedule/preciseTimer.ts';
import { ActiveSessions } from './activeSessions.ts';
import { ConnectionBackOff } from './connectionBackOff.ts';
import { exceedsThreshold } from './failureThreshold.ts';
import type { InFlightRequest } from './inFlightRequest.ts';
import { type PhaseSummary, readOutcomes, type StopReason } from './loadSummary.ts';
import type { WorkerShare } from './phaseCoordinator.ts';
import { PhaseDeadline } from './phaseDeadline.ts';
import type { PhasePlan } from './phasePlan.ts';
import { PrefillSlots } from './prefillSlots.ts';
import { RequestScheduler, type SchedulerCallbacks } from './requestScheduler.ts';
import type { ScheduledRequest, Session } from './session.ts';
import { SessionSlots } from './sessionSlots.ts';
import { TurnQueue } from './turnQueue.ts';

/** Callbacks of a {@link Phase}. */
export interface PhaseCallbacks extends Pick<SchedulerCallbacks, 'getConversation'> {
  /** Sends a request; `onEnd` is called when it has ended, and `onFirstToken` when its first token has arrived. */
  readonly send: (
    request: ScheduledRequest,
    onEnd: (request: InFlightRequest) => void,
    onFirstToken?: () => void,
  ) => InFlightRequest;
  /** Called when no further requests will be sent. */
  readonly onAllSent: () => void;
}

/**
 * One phase of a run. In closed loop, a new session starts when another one ends. In open loop, requests are
 * sent on a schedule, and late if no concurrency slot is free. With a request rate, an arrival first continues
 * a session whose next turn is due, because the rate counts requests, not sessions. A prefill limit also delays requests
 * until an earlier one has returned its first token.
 *
 * Threads that run the same phase divide it through the ledger: sessions, the slots of a closed loop and the
 * arrivals of an open loop are assigned round robin; request numbers, prefill slots and the slots of an open loop with a
 * concurrency limit are shared.
 */
export class Phase {
  readonly #plan: PhasePlan;
  readonly #clock: RunClock;
  readonly #share: WorkerShare;
  readonly #callbacks: PhaseCallbacks;
  readonly #slots: SessionSlots;
  readonly #prefills: PrefillSlots;
  readonly #turns: TurnQueue;
  readonly #scheduler: RequestScheduler;
  readonly #backOff: ConnectionBackOff;
  readonly #sessions: ActiveSessions;
  readonly #timer: PreciseTimer;
  readonly #deadline: PhaseDeadline;
  readonly #inFlight = new Set<InFlightRequest>();
  #startNs = 0;
  #sentNs = 0;
  #unsent = 0;
  #stopReason: StopReason | undefined;
  #resolveEnd: (() => void) | undefined;

  constructor(plan: PhasePlan, clock: RunClock, share: WorkerShare, callbacks: PhaseCallbacks) {
    this.#plan = plan;
    this.#clock = clock;
    this.#share = share;
    this.#callbacks = callbacks;
    this.#slots = new SessionSlots(plan, clock, share);
    this.#prefills = new PrefillSlots(plan.prefill, clock, share);
    this.#turns = new TurnQueue(plan, clock, {
      send: (session, intendedNs) => this.#request(session, intendedNs),
      onDue: () => this.#proceed(),
    });
    this.#scheduler = new RequestScheduler(
      plan,
      clock,
      share,
      { slots: this.#slots, prefills: this.#prefills, turns: this.#turns },
      {
        getConversation: callbacks.getConversation,
        maySend: () => this.#maySend(),
        send: (session, intendedNs) => this.#request(session, intendedNs),
      },
    );
    this.#backOff = new ConnectionBackOff(clock);
    this.#sessions = new ActiveSessions(
      plan,
      { slots: this.#slots, turns: this.#turns, backOff: this.#backOff },
      { isStopped: () => this.#stopReason !== undefined, onSlotReleased: () => this.#proceed() },
    );
    this.#timer = new PreciseTimer(clock, () => this.#proceed());
    this.#deadline = new PhaseDeadline(plan, {
      onDurationEnd: () => this.#onDurationEnd(),
      onGraceEnd: reason => this.#cancelInFlight(reason),
    });
  }

  /** Runs the phase to its end. `startNs` is its start, in ns since the run's origin. */
  async run(startNs: number): Promise<PhaseSummary> {
    this.#startNs = startNs;
    this.#slots.start(startNs);
    this.#prefills.start(startNs);
    this.#turns.start(startNs);
    const ended = new Promise<void>(resolve => {
      this.#resolveEnd = resolve;
    });
    this.#scheduler.start(startNs);
    const leadNs = startNs - this.#clock.nowNs();
    this.#deadline.startDuration(leadNs);
    if (leadNs > 0) this.#timer.set(startNs);
    else this.#proceed();
    await ended;
    return this.#summarize();
  }

  /** Continues the phase after another thread has changed the ledger. */
  wake(): void {
    if (this.#stopReason !== undefined) return;
    if (this.#share.ledger.isAborted) this.#abort();
    if (this.#clock.nowNs() >= this.#startNs) this.#proceed();
  }

  /** Stops sending and cancels all requests in flight. */
  interrupt(): void {
    this.#stop('interrupted');
    this.#cancelInFlight(createFailure('Interrupted', 'the run was interrupted', 499));
  }

  /** Ends the phase because more requests arrive than the servers can process. Cancels all requests in flight. */
  endOverSaturated(): void {
    this.#stop('over_saturated');
    this.#cancelInFlight(
      createFailure('Interrupted', 'the load was ended: the servers are over-saturated', 499),
    );
  }

  /** Sends the requests that are due, and sets the timer for the next step. */
  #proceed(): void {
    if (this.#stopReason === undefined) this.#scheduler.collectArrivals();
    const hasSentAll = this.#scheduler.sendDue();
    this.#scheduler.settle();
    if (this.#isOver()) this.#end();
    else this.#setTimer(hasSentAll);
  }

  /** Reports whether requests may be sent. Stops the phase if all of its requests have been sent. */
  #maySend(): boolean {
    if (this.#share.ledger.requests >= this.#plan.requestCount) this.#stop('requests');
    return this.#stopReason === undefined;
  }

  #request(session: Session, intendedNs: number): void {
    const { ledger, worker, wakeOthers } = this.#share;
    const { requestCount, shard } = this.#plan;
    const taken = ledger.takeRequest(requestCount);
    if (taken === undefined) {
      this.#sessions.drop(session);
      this.#prefills.release();
      this.#stop('requests');
      return;
    }
    ledger.add(worker, 'sent');
    this.#sessions.count(session);
    session.dueNs = intendedNs;
    this.#prefills.assign(session);
    const index = toRunNumber(taken, shard);
    const scheduled: ScheduledRequest = { phase: this.#plan.phase, index, session, intendedNs };
    const request = this.#callbacks.send(
      scheduled,
      ended => this.#onRequestEnd(ended, session),
      this.#prefills.isLimited ? () => this.#onFirstToken(session) : undefined,
    );
    this.#inFlight.add(request);
    if (taken + 1 >= requestCount) {
      this.#stop('requests');
      wakeOthers();
    } else if (session.turn === 0) this.#sessions.startBranches(session.createEarlyBranches());
  }

  #onFirstToken(session: Session): void {
    this.#prefills.end(session);
    // Responses are being parsed: send the next request in another turn of the event loop.
    if (this.#stopReason === undefined) this.#timer.set(this.#clock.nowNs());
  }

  #onRequestEnd(request: InFlightRequest, session: Session): void {
    this.#inFlight.delete(request);
    this.#prefills.end(session);
    const { ledger, worker } = this.#share;
    ledger.add(worker, request.outcome);
    this.#checkFailures();
    this.#sessions.continue(request, session);
    this.#proceed();
  }

  /** Aborts the phase in all threads if too many requests have failed. */
  #checkFailures(): void {
    const { failureThreshold } = this.#plan;
    const { ledger, wakeOthers } = this.#share;
    if (this.#stopReason !== undefined || !failureThreshold || !exceedsThreshold(failureThreshold, ledger))
      return;
    ledger.abort();
    this.#abort();
    wakeOthers();
  }

  #abort(): void {
    this.#stop('failed_requests');
    this.#cancelInFlight(createFailure('Interrupted', 'the run was aborted: too many requests failed', 499));
  }

  #isOver(): boolean {
    if (this.#inFlight.size > 0) return false;
    if (this.#stopReason !== undefined) return true;
    if (this.#sessions.hasActive) return false;
    const reason = this.#scheduler.findEnd();
    if (reason !== undefined) this.#stop(reason);
    return reason !== undefined;
  }

  #setTimer(hasSentAll: boolean): void {
    if (this.#stopReason !== undefined) return;
    this.#timer.set(hasSentAll ? this.#scheduler.findNextChangeNs() : this.#clock.nowNs());
  }

  #stop(reason: StopReason): void {
    if (this.#stopReason !== undefined) return;
    // Count arrivals that were due but not sent. With other stop reasons, remaining arrivals exceed the
    // requested load.
    if (reason === 'duration' || reason === 'interrupted' || reason === 'over_saturated')
      this.#unsent = this.#scheduler.collectArrivals();
    this.#stopReason = reason;
    this.#sentNs = this.#readPhaseTime();
    this.#timer.clear();
    this.#turns.clear();
    this.#backOff.clear();
    this.#slots.stopWaiting();
    this.#callbacks.onAllSent();
  }

  /** Stops sending at the end of the duration and starts the grace period. */
  #onDurationEnd(): void {
    this.#stop('duration');
    if (this.#inFlight.size > 0) this.#deadline.startGrace();
    this.#proceed();
  }

  #cancelInFlight(reason: Failure): void {
    for (const request of this.#inFlight) request.cancel(reason);
    if (this.#inFlight.size === 0) this.#end();
  }

  /**
   * Returns the current time, but at least the start of the phase, because a phase may be interrupted before
   * its start.
   */
  #readPhaseTime(): number {
    return Math.max(this.#startNs, this.#clock.nowNs());
  }

  #end(): void {
    this.#deadline.clear();
    this.#resolveEnd?.();
    this.#resolveEnd = undefined;
  }

  #summarize(): PhaseSummary {
    const { ledger, worker } = this.#share;
    return {
      phase: this.#plan.phase,
      startNs: this.#startNs,
      sentNs: this.#sentNs,
      endNs: this.#readPhaseTime(),
      ...readOutcomes(ledger, worker),
      sessions: this.#sessions.started,
      unsent: this.#unsent,
      connectionWaits: this.#backOff.count,
      connectionWaitNs: this.#backOff.totalNs,
      stopReason: this.#stopReason!,
    };
  }
}
