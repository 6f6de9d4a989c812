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

/** A step in which nothing has been done. */
export function newStep(): Step {
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

/** Makes the object stand for a new step, with the same index: it moves on when a step has ended. */
export function beginStep(step: Step, startNs: number): Step {
  return Object.assign(step, { ...newStep(), index: step.index, startNs });
}
