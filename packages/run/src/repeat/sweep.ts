import {
  AIPERF_VERSION,
  type BestConfiguration,
  type ProfileSweep,
  type SweepMetric,
  type SweepVariation,
} from '@org/formats';
import {
  type BestVariations,
  combineVariation,
  findBestVariations,
  nestSingleRun,
} from '@org/record/aggregate';
import type { AggregateSettings } from './aggregate.ts';
import type { PlannedRun, RepeatPlan, Variation } from './repeatPlan.ts';
import { countRuns, filterSuccesses, listFailedRuns, type RunOutcome, sumCounts } from './runOutcome.ts';
import { listStatistics } from './runStatistics.ts';

/**
 * Creates profile_export_aiperf_sweep.json, with an entry for each variation that was started. As in AIPerf, a metric is
 * an entry with all its statistics if each variation has one run, and otherwise each statistic is an entry.
 */
export function createSweep(
  plan: RepeatPlan,
  outcomes: readonly RunOutcome[],
  settings: AggregateSettings,
): ProfileSweep {
  const variations = plan.variations.flatMap(variation => {
    const variationOutcomes = outcomes.filter(({ run }) => run.variation.index === variation.index);
    return variationOutcomes.length === 0 ? [] : [combineOutcomes(variation, variationOutcomes, settings)];
  });
  // The values on both sides of the boundary of a search are repeated.
  const isRepeated = plan.repetition.runs > 1 || plan.search !== undefined;
  const isAiperf = settings.compatibility === 'aiperf-0.13';
  return {
    ...(isAiperf
      ? {}
      : { schema_version: '1.0', aiperf_version: AIPERF_VERSION, servelens_version: settings.version }),
    aggregation_type: 'sweep',
    num_profile_runs: countRuns(outcomes),
    num_successful_runs: filterSuccesses(outcomes).length,
    failed_runs: listFailedRuns(outcomes, isAiperf ? ({ label }) => label : formatFailedLabel),
    metadata: createMetadata(
      plan,
      listParameters(
        plan,
        variations.map(({ entry }) => entry),
      ),
      settings,
    ),
    per_combination_metrics: variations
      .filter(({ entry }) => !isAiperf || Object.keys(entry.metrics).length > 0)
      .map(({ entry, successes: [first] }) =>
        isRepeated || !first ? entry : { ...entry, metrics: nestSingleRun(first) },
      ),
    ...findBest(
      variations.map(({ entry }) => entry),
      settings,
      isRepeated,
    ),
  };
}

/** Finds the best variations. AIPerf does so only if each variation has several runs. */
function findBest(
  variations: readonly SweepVariation[],
  { compatibility }: AggregateSettings,
  isRepeated: boolean,
): BestVariations {
  const best = findBestVariations(variations);
  if (compatibility !== 'aiperf-0.13') return best;
  if (!isRepeated) return { best_configurations: {}, pareto_optimal: [] };
  return { ...best, best_configurations: mapValues(best.best_configurations, omitMetricName) };
}

function omitMetricName({ metric_name: _, ...configuration }: BestConfiguration): BestConfiguration {
  return configuration;
}

function formatFailedLabel({ variation, label }: PlannedRun): string {
  return `${variation.label}/${label}`;
}

/** Combines the runs of a variation. The metrics are named `<tag>_<statistic>`. */
function combineOutcomes(
  { index, label, parameters }: Variation,
  outcomes: readonly RunOutcome[],
  { confidenceLevel, compatibility }: AggregateSettings,
): { readonly entry: SweepVariation; readonly successes: Parameters<typeof nestSingleRun>[0][] } {
  const successes = listStatistics(filterSuccesses(outcomes), compatibility);
  const { metrics, serverMetrics } = combineVariation(successes, confidenceLevel);
  if (compatibility === 'aiperf-0.13')
    return { entry: { parameters, metrics: mapValues(metrics, toAiperfBlock) }, successes };
  const entry = {
    parameters,
    variation_index: index,
    variation_label: label,
    num_successful_runs: successes.length,
    requests: sumCounts(outcomes),
    metrics,
    ...(Object.keys(serverMetrics).length > 0 ? { server_metrics: serverMetrics } : {}),
  };
  return { entry, successes };
}

function mapValues<T>(object: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}

/** Returns the fields that AIPerf writes. The interval of a single value is empty. */
function toAiperfBlock({
  mean,
  std = 0,
  min = mean,
  max = mean,
  cv = 0,
  ...block
}: SweepMetric): SweepMetric {
  const { ci_low = mean, ci_high = mean, unit } = block;
  return { mean, std, min, max, cv, ci_low, ci_high, unit };
}

/** Lists the values of each parameter that were run, in the order of the variations. */
function listParameters(
  { parameters }: RepeatPlan,
  variations: readonly SweepVariation[],
): ProfileSweep['metadata']['sweep_parameters'] {
  return parameters.map(({ name }) => ({
    name,
    values: [...new Set(variations.map(({ parameters: values }) => values[name]))],
  }));
}

/** Creates the metadata. As in AIPerf, the number of combinations is the size of the grid of all values that were run. */
function createMetadata(
  { sweepId, repetition }: RepeatPlan,
  parameters: ProfileSweep['metadata']['sweep_parameters'],
  { confidenceLevel, cooldownSeconds, wasCancelled, compatibility }: AggregateSettings,
): ProfileSweep['metadata'] {
  const fields = {
    sweep_parameters: parameters,
    num_combinations: parameters.reduce((size, { values }) => size * values.length, 1),
    sweep_mode: repetition.mode,
    confidence_level: confidenceLevel,
    num_trials_per_value: repetition.runs,
    aggregation_type: 'sweep' as const,
  };
  if (compatibility === 'aiperf-0.13') return fields;
  return {
    ...(sweepId === undefined ? {} : { sweep_id: sweepId }),
    ...fields,
    cooldown_seconds: cooldownSeconds,
    was_cancelled: wasCancelled,
  };
}
