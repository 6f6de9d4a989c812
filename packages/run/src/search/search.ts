import { join } from 'node:path';
import { planBoundary, planDesign, type Step } from '@org/search';
import type { Repetition } from '../repeat/repeatPlan.ts';
import { isSuccess, type RunOutcome } from '../repeat/runOutcome.ts';
import { type Measurement, measureRun } from './measureRun.ts';
import { type MeasuredRun, toProbes } from './probes.ts';
import type { SearchPlan } from './searchPlan.ts';
import { planTiers } from './tiers.ts';

/** A search in progress: measures its runs, and plans further ones. */
export class Search {
  readonly #plan: SearchPlan;
  readonly #folder: string;
  readonly #runs: MeasuredRun[] = [];

  /** `folder` is the folder of all runs. */
  constructor(plan: SearchPlan, folder: string) {
    this.#plan = plan;
    this.#folder = folder;
  }

  /** The runs that have ended, in order. */
  get runs(): readonly MeasuredRun[] {
    return this.#runs;
  }

  /** Checks a run that has ended against the limits. */
  async add(outcome: RunOutcome): Promise<MeasuredRun> {
    const measurement = await this.#measure(outcome);
    const run = { outcome, measurement };
    this.#runs.push(run);
    return run;
  }

  async #measure(outcome: RunOutcome): Promise<Measurement> {
    const { limits } = this.#plan;
    if (isSuccess(outcome)) {
      if (limits.length === 0) return { verdict: 'passed', limits: [] };
      return measureRun(join(this.#folder, outcome.run.folder), limits);
    }
    const { endedEarly, error: detail, counts } = outcome;
    if (endedEarly) return { verdict: 'failed', limits: describeEarlyEnd(limits, detail) };
    // Where lower values were within the limits, a load at which no request succeeds exceeds them.
    const wasServed = this.#runs.some(({ measurement }) => measurement.verdict === 'passed');
    const hasFailed = wasServed && counts !== undefined && counts.succeeded === 0 && counts.failed > 0;
    const verdict = hasFailed ? 'failed' : 'unknown';
    return { verdict, limits: limits.map(({ rule: limit }) => ({ limit, outcome: verdict, detail })) };
  }

  /** Returns the next step. It depends only on the runs so far. */
  planNext(repeats: SearchRepeats): Step {
    return planStep(this.#plan, this.#runs, repeats);
  }
}

/** Describes the limits in a run that was ended because one of them had failed, or because the servers were over-saturated. */
function describeEarlyEnd(limits: SearchPlan['limits'], detail: string): Measurement['limits'] {
  const isLimit = limits.some(({ rule }) => detail.includes(rule));
  return limits.map(({ rule: limit }) => {
    if (detail.includes(limit)) return { limit, outcome: 'failed', detail };
    return {
      limit,
      outcome: 'unknown',
      detail: isLimit ? 'the run was ended because another limit had failed' : detail,
    };
  });
}

/** The settings of repeats that a search uses: each probe is a number of runs. */
export type SearchRepeats = Pick<Repetition, 'runs' | 'confidenceLevel'>;

/** Plans the next step of a search. */
export function planStep(plan: SearchPlan, runs: readonly MeasuredRun[], repeats: SearchRepeats): Step {
  const { tiers } = plan;
  if (tiers) return planTiers(plan, tiers, runs, (tier, measured) => planStep(tier, measured, repeats));
  const { runs: trials, confidenceLevel } = repeats;
  const probes = toProbes(plan, runs);
  const maxProbes = plan.maxIterations * trials;
  if (plan.planner === 'isotonic')
    return planBoundary(probes, {
      dimension: plan.dimensions[0]!,
      precision: plan.precision,
      replicates: plan.replicates,
      level: confidenceLevel,
      maxProbes,
    });
  return planDesign(
    probes.filter((_, index) => index % trials === 0),
    {
      dimensions: plan.dimensions,
      initialPoints: plan.initialPoints,
      maxProbes: plan.maxIterations,
      seed: plan.seed,
      direction: plan.objective?.direction ?? 'maximize',
    },
  );
}
