import type { ProfileSweep, SweepMetric, SweepVariation } from '@org/formats';
import { flattenSweepMetrics } from '@org/formats/read';
import { findBestVariations } from '@org/record/aggregate';

/**
 * Returns a sweep of Servelens or AIPerf in one form: metrics are named `<tag>_<statistic>`, and the best variations are
 * known. AIPerf finds them only if the variations are repeated.
 */
export function normalizeSweep(sweep: ProfileSweep): ProfileSweep {
  const variations = sweep.per_combination_metrics.map(normalizeVariation);
  const best = findBestVariations(variations);
  const optimal = sweep.pareto_optimal ?? [];
  return {
    ...sweep,
    per_combination_metrics: variations,
    best_configurations: best.best_configurations,
    pareto_optimal: optimal.length > 0 ? optimal : best.pareto_optimal,
  };
}

function normalizeVariation(variation: SweepVariation): SweepVariation {
  const metrics = flattenSweepMetrics(variation.metrics);
  return { ...variation, metrics: isSingleRun(metrics) ? omitIntervals(metrics) : metrics };
}

/**
 * Reports whether metrics are of one run. If only one run of a variation succeeds, AIPerf writes empty intervals. The
 * latencies of two runs are never all equal.
 */
function isSingleRun(metrics: Readonly<Record<string, SweepMetric>>): boolean {
  return Object.values(metrics).every(({ std = 0 }) => std === 0);
}

function omitIntervals(metrics: Readonly<Record<string, SweepMetric>>): Record<string, SweepMetric> {
  return Object.fromEntries(Object.entries(metrics).map(([name, { mean, unit }]) => [name, { mean, unit }]));
}

/**
 * Computes half the width of the confidence interval of a mean; undefined if there is none. AIPerf's sweeps contain the
 * ends of the interval only.
 */
export function computeHalfWidth({
  ci_low: low,
  ci_high: high,
  t_critical: t,
}: Partial<SweepMetric>): number | undefined {
  return low === undefined || high === undefined || t === null ? undefined : (high - low) / 2;
}
