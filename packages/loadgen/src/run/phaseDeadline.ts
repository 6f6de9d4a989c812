import { createFailure, type Failure } from '../failure.ts';
import type { PhasePlan } from './phasePlan.ts';

/** Callbacks of a {@link PhaseDeadline}. */
export interface DeadlineCallbacks {
  readonly onDurationEnd: () => void;
  /** `reason` is the failure of the requests that are still in flight. */
  readonly onGraceEnd: (reason: Failure) => void;
}

/** The time limits of a phase: its duration, then the grace period of the requests that are still in flight. */
export class PhaseDeadline {
  readonly #plan: Pick<PhasePlan, 'durationNs' | 'graceNs'>;
  readonly #callbacks: DeadlineCallbacks;
  #timer: NodeJS.Timeout | undefined;

  constructor(plan: Pick<PhasePlan, 'durationNs' | 'graceNs'>, callbacks: DeadlineCallbacks) {
    this.#plan = plan;
    this.#callbacks = callbacks;
  }

  /** Starts the duration, if it is limited. The phase starts in `leadNs`. */
  startDuration(leadNs: number): void {
    this.#set(leadNs, this.#plan.durationNs, this.#callbacks.onDurationEnd);
  }

  /** Starts the grace period, if it is limited. */
  startGrace(): void {
    const { graceNs } = this.#plan;
    const problem = `still in flight ${graceNs / 1e9} s after the end of the phase`;
    const reason = createFailure('Interrupted', problem, 499);
    this.#set(0, graceNs, () => this.#callbacks.onGraceEnd(reason));
  }

  /** Ends the current period without a call. */
  clear(): void {
    clearTimeout(this.#timer);
  }

  #set(leadNs: number, durationNs: number, onEnd: () => void): void {
    if (!Number.isFinite(durationNs)) return;
    this.#timer = setTimeout(onEnd, Math.min((leadNs + durationNs) / 1e6, 2 ** 31 - 1));
  }
}
