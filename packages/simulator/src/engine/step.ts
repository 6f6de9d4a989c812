/** One iteration of the engine. The object is reused for the next step: copy values that must last. */
export interface Step {
  /** Number of the step, from 0. */
  index: number;
  startNs: number;
  endNs: number;
  /** Computed prompt tokens, without those from the prefix cache. */
  prefillTokens: number;
  /** Requests that computed prompt tokens. */
  prefillRequests: number;
  /** Requests that generated a token. */
  decodeRequests: number;
  /** Context tokens read by all requests of the step. */
  contextTokens: number;
  /** Generated tokens. */
  generatedTokens: number;
  /** Requests that entered the batch for the first time. */
  admitted: number;
  /** Requests that returned to the queue. */
  preempted: number;
  /** Requests that ended. */
  finished: number;
}

/** Creates a step without work. */
export function createStep(): Step {
  return {
    index: 0,
    startNs: 0,
    endNs: 0,
    prefillTokens: 0,
    prefillRequests: 0,
    decodeRequests: 0,
    contextTokens: 0,
    generatedTokens: 0,
    admitted: 0,
    preempted: 0,
    finished: 0,
  };
}

/** Resets a step object for reuse; the index stays, because it is incremented at the end of a step. */
export function resetStep(step: Step, startNs: number): Step {
  return Object.assign(step, { ...createStep(), index: step.index, startNs });
}
