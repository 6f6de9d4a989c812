import type { BlockResidency } from './blockResidency.ts';
import type { Request } from './request.ts';
import type { Step } from './step.ts';

/**
 * Callbacks for the events of an engine. At the start of a step, `onScheduled` and `onPreempted` are called; at
 * its end, `onToken`, `onFinished` and then `onStep`.
 */
export interface EngineObserver {
  onArrival?(request: Request): void;
  /** Called when a request enters the batch for the first time. */
  onScheduled?(request: Request): void;
  onPreempted?(request: Request): void;
  /** Called for one block of each cached prefix that is evicted. */
  onEvicted?(residency: BlockResidency): void;
  /**
   * Called for each generated token. `gapNs` is the time since the previous token or, for the first, since
   * arrival.
   */
  onToken?(request: Request, gapNs: number): void;
  onFinished?(request: Request): void;
  onStep?(step: Readonly<Step>): void;
}

/** Reports the events of an engine to several observers, in the order of their registration. */
export class ObserverList implements Required<EngineObserver> {
  readonly #observers: EngineObserver[] = [];

  add(observer: EngineObserver): void {
    this.#observers.push(observer);
  }

  onArrival(request: Request): void {
    for (const observer of this.#observers) observer.onArrival?.(request);
  }

  onScheduled(request: Request): void {
    for (const observer of this.#observers) observer.onScheduled?.(request);
  }

  onPreempted(request: Request): void {
    for (const observer of this.#observers) observer.onPreempted?.(request);
  }

  onEvicted(residency: BlockResidency): void {
    for (const observer of this.#observers) observer.onEvicted?.(residency);
  }

  onToken(request: Request, gapNs: number): void {
    for (const observer of this.#observers) observer.onToken?.(request, gapNs);
  }

  onFinished(request: Request): void {
    for (const observer of this.#observers) observer.onFinished?.(request);
  }

  onStep(step: Readonly<Step>): void {
    for (const observer of this.#observers) observer.onStep?.(step);
  }
}
