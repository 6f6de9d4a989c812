import type { Convergence } from '@org/formats';
import { computeInterval } from '@org/record/aggregate';
import type { ConvergenceRule } from './convergenceRule.ts';
import { computeSameDistribution } from './kolmogorovSmirnov.ts';
import type { RepeatPlan } from './repeatPlan.ts';
import { readRequestValues } from './requestValues.ts';
import { filterSuccesses, type RunOutcome, type RunSuccess } from './runOutcome.ts';

/** Minimum number of successful runs before a rule is checked, as in AIPerf. */
export const MIN_CONVERGENCE_RUNS = 2;

/** Checks the rule against the runs of one variation so far. */
export async function assessConvergence(
  rule: ConvergenceRule,
  outcomes: readonly RunOutcome[],
  confidenceLevel: number,
): Promise<Convergence> {
  const successes = filterSuccesses(outcomes);
  const { metric, stat, mode, threshold } = rule;
  const value =
    successes.length < MIN_CONVERGENCE_RUNS
      ? undefined
      : mode === 'distribution'
        ? await computeProbability(metric, successes)
        : computeSpread(rule, successes, confidenceLevel);
  const isConverged =
    value !== undefined && (mode === 'distribution' ? value > threshold : value < threshold);
  return {
    metric,
    ...(mode === 'distribution' ? {} : { stat }),
    mode,
    threshold,
    runs: successes.length,
    value: value ?? null,
    converged: isConverged,
  };
}

/** Counts the planned runs that are not needed because the runs of their variation have converged. */
export async function countSkippedRuns(
  { repetition, variations, runs }: Pick<RepeatPlan, 'repetition' | 'variations' | 'runs'>,
  outcomes: readonly RunOutcome[],
): Promise<number> {
  const { convergence: rule, confidenceLevel } = repetition;
  if (!rule) return 0;
  let skipped = 0;
  for (const { index } of variations) {
    const variationOutcomes = outcomes.filter(({ run }) => run.variation.index === index);
    const { converged } = await assessConvergence(rule, variationOutcomes, confidenceLevel);
    const planned = runs.filter(({ variation }) => variation.index === index);
    if (converged) skipped += planned.length - variationOutcomes.length;
  }
  return skipped;
}

/** Returns the relative spread of a statistic over runs; undefined if fewer than two runs have it, or if its mean is 0. */
function computeSpread(
  { metric, stat, mode }: ConvergenceRule,
  successes: readonly RunSuccess[],
  confidenceLevel: number,
): number | undefined {
  const values = successes.flatMap(
    ({ statistics }) => statistics.client.get(`${metric}_${stat}`)?.value ?? [],
  );
  if (values.length < MIN_CONVERGENCE_RUNS) return undefined;
  const { mean, cv, ci_low, ci_high } = computeInterval(values, confidenceLevel);
  if (mean === 0) return undefined;
  return mode === 'cv' ? (cv ?? undefined) : (ci_high - ci_low) / Math.abs(mean);
}

/**
 * Compares the requests of the last run with the requests of all runs before, and returns the p-value; undefined without
 * two values each.
 */
async function computeProbability(
  metric: string,
  successes: readonly RunSuccess[],
): Promise<number | undefined> {
  const values = await Promise.all(
    successes.map(async ({ requests }) =>
      requests === undefined ? [] : readRequestValues(requests, metric),
    ),
  );
  const last = values.at(-1)!;
  const before = values.slice(0, -1).flat();
  if (before.length < 2 || last.length < 2) return undefined;
  return computeSameDistribution(before, last);
}
