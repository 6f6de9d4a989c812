import { PIECE_OUTPUT } from '../response/responseContent.ts';
import type { ConnectionBackOff } from './connectionBackOff.ts';
import type { InFlightRequest } from './inFlightRequest.ts';
import type { PhasePlan } from './phasePlan.ts';
import type { Session } from './session.ts';
import type { SessionSlots } from './sessionSlots.ts';
import type { TurnQueue } from './turnQueue.ts';

/** Slots, pending turns and pauses of the sessions of a phase. */
export interface SessionQueues {
  readonly slots: SessionSlots;
  readonly turns: TurnQueue;
  readonly backOff: ConnectionBackOff;
}

/** Callbacks of {@link ActiveSessions}. */
export interface SessionCallbacks {
  /** Reports whether the phase sends no further requests. */
  readonly isStopped: () => boolean;
  /** Called after a slot was released with a delay. */
  readonly onSlotReleased: () => void;
}

/** The sessions of a phase that have started and not ended: their next turns, their branches and their slots. */
export class ActiveSessions {
  readonly #plan: Pick<PhasePlan, 'createArrivals'>;
  readonly #slots: SessionSlots;
  readonly #turns: TurnQueue;
  readonly #backOff: ConnectionBackOff;
  readonly #callbacks: SessionCallbacks;
  #started = 0;
  /** Number of active sessions that branched off from others; they need no slot. */
  #branches = 0;

  constructor(
    plan: Pick<PhasePlan, 'createArrivals'>,
    { slots, turns, backOff }: SessionQueues,
    callbacks: SessionCallbacks,
  ) {
    this.#plan = plan;
    this.#slots = slots;
    this.#turns = turns;
    this.#backOff = backOff;
    this.#callbacks = callbacks;
  }

  /** Number of sessions that have sent a request, without branches. */
  get started(): number {
    return this.#started;
  }

  /** True if a session will send another request. The slots of sessions that have ended may still wait. */
  get hasActive(): boolean {
    return this.#slots.active > this.#backOff.waiting || this.#branches > 0;
  }

  /** Counts a session when its first request is sent. */
  count(session: Session): void {
    if (session.turn === 0 && !session.parent) this.#started += 1;
  }

  startBranches(branches: readonly Session[]): void {
    this.#branches += branches.length;
    for (const branch of branches) if (!this.#callbacks.isStopped()) this.#turns.add(branch);
  }

  /** Continues the session of a request that has ended, or ends the session. */
  continue(request: InFlightRequest, session: Session): void {
    // Later turns include the response, so a failure ends the session.
    const isContinued =
      request.outcome === 'succeeded' && !this.#callbacks.isStopped() && this.#advance(request, session);
    if (!isContinued) this.#end(request, session);
    else if (session.isBlocked) session.isWaiting = true;
    else this.#turns.add(session);
  }

  /** Ends a session whose current turn is not sent. */
  drop({ parent }: Session): void {
    if (parent) this.#branches -= 1;
    else this.#slots.release();
  }

  /** Starts the branches of the turn that has ended, and advances to the next turn. Returns false after the last turn. */
  #advance(request: InFlightRequest, session: Session): boolean {
    const response = request.response.content.join(PIECE_OUTPUT);
    const branches = session.createBranches(response);
    const hasTurn = session.advance(response, request.response.id);
    this.startBranches(branches);
    return hasTurn;
  }

  /** Releases the slot of a session. The end of a branch may allow the next turn of the session that it belongs to. */
  #end(request: InFlightRequest, { parent }: Session): void {
    if (!parent) {
      this.#releaseSlot(request);
      return;
    }
    this.#branches -= 1;
    if (parent.session.endBranch(parent) && !this.#callbacks.isStopped()) this.#turns.add(parent.session);
  }

  /** Releases the slot of a session. In closed loop, connection failures in a row delay this. */
  #releaseSlot(request: InFlightRequest): void {
    const waitMs = this.#plan.createArrivals ? 0 : this.#backOff.add(request);
    if (waitMs === 0 || this.#callbacks.isStopped() || !this.#slots.hasSession()) {
      this.#slots.release();
      return;
    }
    this.#backOff.wait(waitMs, () => {
      this.#slots.release();
      this.#callbacks.onSlotReleased();
    });
  }
}
