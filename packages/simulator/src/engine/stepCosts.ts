import type { Random } from '@org/core';

/** Model of the duration of an engine step. All durations in ns. */
export interface StepCosts {
  /** Every step: reading weights, launching kernels. */
  readonly base: number;
  /** Each computed prompt token. */
  readonly prefillToken: number;
  /** Each sequence that generates a token. */
  readonly sequence: number;
  /** Each token of context that attention reads. */
  readonly contextToken: number;
  /** Standard deviation of the log-normal noise of each step. */
  readonly sigma: number;
  /** Probability that a step is interrupted, for example by other work on the GPU or host. */
  readonly interruptProbability: number;
  /** Maximum factor of an interrupted step; the minimum is 2. */
  readonly maxInterruptFactor: number;
}

/** An 8B model on one large GPU, in round numbers. */
export const DEFAULT_COSTS: StepCosts = {
  base: 7e6,
  prefillToken: 22e3,
  sequence: 40e3,
  contextToken: 20,
  sigma: 0.04,
  interruptProbability: 0.0005,
  maxInterruptFactor: 12,
};

/** Work of one step. */
export interface StepWork {
  readonly prefillTokens: number;
  readonly sequences: number;
  readonly contextTokens: number;
}

/** Returns the duration of a step, in whole ns. */
export function computeStepDuration(work: StepWork, costs: StepCosts, speed: number, random: Random): number {
  let duration =
    costs.base +
    costs.prefillToken * work.prefillTokens +
    costs.sequence * work.sequences +
    costs.contextToken * work.contextTokens;
  duration *= random.lognormal(1, costs.sigma);
  if (random.chance(costs.interruptProbability)) duration *= random.uniform(2, costs.maxInterruptFactor);
  return Math.max(1, Math.round(duration / speed));
}
