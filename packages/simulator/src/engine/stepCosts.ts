import type { Random } from '@org/core';

/** Parameters of the duration of an engine step. Durations are in ns. */
export interface StepCosts {
  /** Fixed duration of a step, for reading weights and launching kernels. */
  readonly base: number;
  /** Duration per computed prompt token. */
  readonly prefillToken: number;
  /** Duration per sequence that generates a token. */
  readonly sequence: number;
  /** Duration per context token that attention reads. */
  readonly contextToken: number;
  /** Standard deviation of the logarithm of a step's log-normal noise factor. */
  readonly sigma: number;
  /** Probability that a step is slowed down, for example by other work on the GPU or host. */
  readonly interruptProbability: number;
  /** Maximum slowdown factor of such a step; the minimum is 2. */
  readonly maxInterruptFactor: number;
}

/** Parameters that approximate an 8B model on one large GPU. */
export const DEFAULT_COSTS: StepCosts = {
  base: 7e6,
  prefillToken: 22e3,
  sequence: 40e3,
  contextToken: 20,
  sigma: 0.04,
  interruptProbability: 0.0005,
  maxInterruptFactor: 12,
};

/** The work of one step, which determines its duration. */
export interface StepWork {
  readonly prefillTokens: number;
  readonly sequences: number;
  readonly contextTokens: number;
}

/** Returns the duration of a step, in whole ns. */
export function computeStepDuration(work: StepWork, costs: StepCosts, speed: number, random: Random): number {
  let durationNs =
    costs.base +
    costs.prefillToken * work.prefillTokens +
    costs.sequence * work.sequences +
    costs.contextToken * work.contextTokens;
  durationNs *= random.lognormal(1, costs.sigma);
  if (random.chance(costs.interruptProbability)) durationNs *= random.uniform(2, costs.maxInterruptFactor);
  return Math.max(1, Math.round(durationNs / speed));
}
