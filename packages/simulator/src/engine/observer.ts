import type { Request } from './request.ts';
import type { Step } from './step.ts';

/**
 * Callbacks for the events of an engine. Within a step, `scheduled` and `preempted` are called at its start;
 * `token`, `finished` and then `step` at its end.
 */
export interface EngineObserver {
  arrived?(request: Request): void;
  /** Called when a request enters the batch for the first time. */
  scheduled?(request: Request): void;
  preempted?(request: Request): void;
  /**
   * Called for each generated token; `gapNs` is the time since the previous token, or since arrival for the
   * first.
   */
  token?(request: Request, gapNs: number): void;
  finished?(request: Request): void;
  step?(step: Readonly<Step>): void;
}
