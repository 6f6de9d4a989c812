import type { Random } from '../random.ts';

/** How long a step of the model takes. All durations in ns. */
export interface StepCosts {
  /** Any step, however small: weights are read, kernels launched. */
  readonly base: number;
  /** Each prompt token computed. */
  readonly prefillToken: number;
  /** Each sequence that generates a token. */
  readonly sequence: number;
  /** Each token of context that attention reads. */
  readonly contextToken: number;
  /** Log-normal noise on every step. */
  readonly sigma: number;
  /** Once in a while something else needs the GPU or the host: probability a step, and factor at most. */
  readonly hiccup: number;
  readonly hiccupFactor: number;
}

/** An 8B model on one large GPU, in round figures. */
export const defaultCosts: StepCosts = {
  base: 7e6,
  prefillToken: 22e3,
  sequence: 40e3,
  contextToken: 20,
  sigma: 0.04,
  hiccup: 0.0005,
  hiccupFactor: 12,
};

/** What is computed in one step. */
export interface StepWork {
  readonly prefillTokens: number;
  readonly sequences: number;
  readonly contextTokens: number;
}

/** Duration of a step in whole ns. */
export function stepDuration(work: StepWork, costs: StepCosts, speed: number, random: Random): number {
  let duration =
    costs.base +
    costs.prefillToken * work.prefillTokens +
    costs.sequence * work.sequences +
    costs.contextToken * work.contextTokens;
  duration *= random.lognormal(1, costs.sigma);
  if (random.chance(costs.hiccup)) duration *= random.uniform(2, costs.hiccupFactor);
  return Math.max(1, Math.round(duration / speed));
}
