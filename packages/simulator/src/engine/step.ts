/** One iteration of the engine. The object is reused for the next step, so observers must copy values that they keep. */
export interface Step {
  /** Number of the step, from 0. */
  index: number;
  startNs: number;
  endNs: number;
  /** Number of prompt tokens computed, excluding tokens from the prefix cache. */
  prefillTokens: number;
  /** Number of requests that computed prompt tokens. */
  prefillRequests: number;
  /** Number of requests that generated a token. */
  decodeRequests: number;
  /** Number of context tokens read by all requests of the step. */
  contextTokens: number;
  /** Number of generated tokens. */
  generatedTokens: number;
  /** Number of requests that entered the batch for the first time. */
  admitted: number;
  /** Number of requests that were preempted and returned to the queue. */
  preempted: number;
  /** Number of requests that ended. */
  finished: number;
}

/** Creates an empty step. */
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

/** Resets a step object for reuse; the index is kept, because it is incremented at the end of each step. */
export function resetStep(step: Step, startNs: number): Step {
  return Object.assign(step, { ...createStep(), index: step.index, startNs });
}
