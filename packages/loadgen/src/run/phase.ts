import { randomUUID } from 'node:crypto';
import type { RunClock } from '../clock.ts';
import { createFailure, type Failure } from '../failure.ts';
import type { Conversation } from '../input/conversation.ts';
import { PIECE_OUTPUT } from '../response/responseContent.ts';
import { PreciseTimer } from '../schedule/preciseTimer.ts';
import { ArrivalQueue } from './arrivalQueue.ts';
import { ConnectionBackOff } from './connectionBackOff.ts';
import { exceedsThreshold } from './failureThreshold.ts';
import type { InFlightRequest } from './inFlightRequest.ts';
import { type PhaseSummary, readOutcomes, type StopReason } from './loadSummary.ts';
import type { WorkerShare } from './phaseCoordinator.ts';
import type { PhasePlan } from './phasePlan.ts';
import { PrefillSlots } from './prefillSlots.ts';
import { type ScheduledRequest, Session } from './session.ts';
import { SessionSlots } from './sessionSlots.ts';
import { TurnQueue } from './turnQueue.ts';

/**
 * Maximum time to send requests before sockets are served, in ns. If 200 requests were started at once, the
 * first connections would be noticed only after the last request was started, and that wait would count as
 * server latency.
 */
const MAX_SEND_NS = 0.5e6;

/** Callbacks of a {@link Phase}. */
export interface PhaseCallbacks {
  /** Returns the conversation of a session. */
  readonly getConversation: (session: number) => Conversation;
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
  readonly #arrivals: ArrivalQueue;
  readonly #slots: SessionSlots;
  readonly #prefills: PrefillSlots;
  readonly #turns: TurnQueue;
  readonly #backOff: ConnectionBackOff;
  readonly #timer: PreciseTimer;
  readonly #inFlight = new Set<InFlightRequest>();
  /** Timer for the end of the duration, then for the end of the grace period. */
  #deadline: NodeJS.Timeout | undefined;
  #startNs = 0;
  #sentNs = 0;
  #sessions = 0;
  #unsent = 0;
  #stopReason: StopReason | undefined;
  #resolveEnd: (() => void) | undefined;

  constructor(plan: PhasePlan, clock: RunClock, share: WorkerShare, callbacks: PhaseCallbacks) {
    this.#plan = plan;
    this.#clock = clock;
    this.#share = share;
    this.#callbacks = callbacks;
    this.#arrivals = new ArrivalQueue(plan.createArrivals, {
      worker: share.worker,
      workers: share.ledger.workers,
    });
    this.#slots = new SessionSlots(plan, clock, share);
    this.#prefills = new PrefillSlots(plan.prefill, clock, share);
    this.#turns = new TurnQueue(plan, clock, {
      send: (session, intendedNs) => this.#request(session, intendedNs),
      onDue: () => this.#proceed(),
    });
    this.#backOff = new ConnectionBackOff(clock);
    this.#timer = new PreciseTimer(clock, () => this.#proceed());
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
    this.#arrivals.start(startNs);
    const { durationNs } = this.#plan;
    const leadNs = startNs - this.#clock.nowNs();
    if (Number.isFinite(durationNs))
      this.#deadline = this.#setTimeout((leadNs + durationNs) / 1e6, () => this.#onDurationEnd());
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

  /** Sends the requests that are due, and sets the timer for the next step. */
  #proceed(): void {
    this.#collectArrivals();
    const hasSentAll = this.#sendDue();
    // Drop arrivals if no session is left to serve them, so that an old arrival does not make a later turn look late.
    if (!this.#turns.hasWaiting && !this.#slots.hasSession()) this.#arrivals.clear();
    if (this.#arrivals.dueCount === 0) this.#slots.stopWaiting();
    this.#slots.notifyOthers();
    if (this.#isOver()) this.#end();
    else this.#setTimer(hasSentAll);
  }

  #collectArrivals(): void {
    const nowNs = this.#clock.nowNs();
    if (this.#stopReason === undefined) this.#arrivals.collect(nowNs);
  }

  /** Sends requests for up to `MAX_SEND_NS`. Returns true if all requests that may be sent now were sent. */
  #sendDue(): boolean {
    const endNs = this.#clock.nowNs() + MAX_SEND_NS;
    while (this.#stopReason === undefined && this.#sendNext()) if (this.#clock.nowNs() >= endNs) return false;
    return true;
  }

  /** Sends one request; returns false if none may be sent now. */
  #sendNext(): boolean {
    if (this.#share.ledger.requests >= this.#plan.requestCount) {
      this.#stop('requests');
      return false;
    }
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
    if (turn) this.#request(turn.session, turn.intendedNs);
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
    this.#request(session, intendedNs);
    return true;
  }

  #startSession(intendedNs: number): Session | undefined {
    const number = this.#slots.take(intendedNs);
    if (number === undefined) return undefined;
    return new Session(this.#callbacks.getConversation(number), number, randomUUID());
  }

  #request(session: Session, intendedNs: number): void {
    const { ledger, worker, wakeOthers } = this.#share;
    const { requestCount } = this.#plan;
    const index = ledger.takeRequest(requestCount);
    if (index === undefined) {
      this.#slots.release();
      this.#prefills.release();
      this.#stop('requests');
      return;
    }
    ledger.add(worker, 'sent');
    // A session is counted when its first request is sent.
    if (session.turn === 0) this.#sessions += 1;
    session.dueNs = intendedNs;
    this.#prefills.assign(session);
    const scheduled: ScheduledRequest = { phase: this.#plan.phase, index, session, intendedNs };
    const request = this.#callbacks.send(
      scheduled,
      ended => this.#onRequestEnd(ended, session),
      this.#prefills.isLimited ? () => this.#onFirstToken(session) : undefined,
    );
    this.#inFlight.add(request);
    if (index + 1 < requestCount) return;
    this.#stop('requests');
    wakeOthers();
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
    const { outcome } = request;
    ledger.add(worker, outcome);
    this.#checkFailures();
    // Later turns include the response, so a failure ends the session.
    const isContinued =
      outcome === 'succeeded' &&
      this.#stopReason === undefined &&
      session.advance(request.response.content.join(PIECE_OUTPUT));
    if (isContinued) this.#turns.add(session);
    else this.#releaseSlot(request);
    this.#proceed();
  }

  /** Releases the slot of a session. In closed loop, connection failures in a row delay this. */
  #releaseSlot(request: InFlightRequest): void {
    const waitMs = this.#plan.createArrivals ? 0 : this.#backOff.add(request);
    if (waitMs === 0 || this.#stopReason !== undefined || !this.#slots.hasSession()) {
      this.#slots.release();
      return;
    }
    this.#backOff.wait(waitMs, () => {
      this.#slots.release();
      this.#proceed();
    });
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
    if (this.#slots.active > this.#backOff.waiting) return false;
    if (!this.#slots.hasSession())
      this.#stop(this.#plan.isScheduled && !this.#plan.users ? 'schedule' : 'sessions');
    else if (this.#plan.createArrivals && this.#arrivals.isEmpty) this.#stop('schedule');
    return this.#stopReason !== undefined;
  }

  #setTimer(hasSentAll: boolean): void {
    if (this.#stopReason !== undefined) return;
    if (!hasSentAll) {
      this.#timer.set(this.#clock.nowNs());
      return;
    }
    this.#timer.set(
      Math.min(
        this.#slots.findNextChangeNs(),
        this.#prefills.findNextChangeNs(),
        this.#arrivals.nextNs ?? Number.POSITIVE_INFINITY,
      ),
    );
  }

  #stop(reason: StopReason): void {
    if (this.#stopReason !== undefined) return;
    // Count arrivals that were due but not sent. With other stop reasons, remaining arrivals exceed the
    // requested load.
    if (reason === 'duration' || reason === 'interrupted') {
      this.#collectArrivals();
      this.#unsent = this.#arrivals.dueCount;
    }
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
    const { graceNs } = this.#plan;
    const reason = createFailure(
      'Interrupted',
      `still in flight ${graceNs / 1e9} s after the end of the phase`,
      499,
    );
    if (this.#inFlight.size > 0 && Number.isFinite(graceNs))
      this.#deadline = this.#setTimeout(graceNs / 1e6, () => this.#cancelInFlight(reason));
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

  #setTimeout(delayMs: number, callback: () => void): NodeJS.Timeout {
    return setTimeout(callback, Math.min(delayMs, 2 ** 31 - 1));
  }

  #end(): void {
    clearTimeout(this.#deadline);
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
      sessions: this.#sessions,
      unsent: this.#unsent,
      connectionWaits: this.#backOff.count,
      connectionWaitNs: this.#backOff.totalNs,
      stopReason: this.#stopReason!,
    };
  }
}
