import type { Request } from './request.ts';
import type { Step } from './step.ts';

/**
 * What happens in an engine, as the code that counts it sees it. Within a step: scheduled and preempted when
 * it starts; token, finished and then step when it ends.
 */
export interface EngineObserver {
  arrived?(request: Request): void;
  /** First time in the batch. */
  scheduled?(request: Request): void;
  preempted?(request: Request): void;
  /** A token came out; `gapNs` is the time since the one before it, or since arrival for the first. */
  token?(request: Request, gapNs: number): void;
  finished?(request: Request): void;
  step?(step: Readonly<Step>): void;
}
