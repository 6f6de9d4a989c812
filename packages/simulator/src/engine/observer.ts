import type { Request } from './request.ts';

/** One iteration of the engine. The object is used again for the next one: copy what has to last. */
export interface Step {
  /** Counts from 0. */
  index: number;
  startNs: number;
  endNs: number;
  /** Prompt tokens computed, without those found in the prefix cache. */
  prefillTokens: number;
  /** Requests that computed prompt tokens, and requests that generated. */
  prefillRequests: number;
  decodeRequests: number;
  /** Tokens of context read by all of them. */
  contextTokens: number;
  /** Tokens that came out of the step. */
  generatedTokens: number;
  /** Requests that got their first place in the batch, that went back to the queue, and that ended in it. */
  admitted: number;
  preempted: number;
  finished: number;
}

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
