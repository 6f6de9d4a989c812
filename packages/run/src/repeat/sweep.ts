import { findParetoPoints } from '@org/core';
import { AIPERF_VERSION, type BestConfiguration, type ProfileSweep, type SweepVariation } from '@org/formats';
import type { AggregateSettings } from './aggregate.ts';
import { combineVariation } from './combinedStatistics.ts';
import type { RepeatPlan } from './repeatPlan.ts';
import { filterSuccesses, listFailedRuns, type RunOutcome, sumCounts } from './runOutcome.ts';

/** The objectives: maximum throughput, and minimum latency by the first listed metric that any variation has. */
const THROUGHPUT = 'request_throughput_avg';
const LATENCIES = ['time_to_first_token_p99', 'request_latency_p99'] as const;

/** Creates profile_export_aiperf_sweep.json, with an entry for each variation that was started. */
export function createSweep(
  plan: RepeatPlan,
  outcomes: readonly RunOutcome[],
  settings: AggregateSettings,
): ProfileSweep {
  const variations = plan.variations.flatMap(({ index, label, parameters }): SweepVariation[] => {
    const variationOutcomes = outcomes.filter(({ run }) => run.variation.index === index);
    if (variationOutcomes.length === 0) return [];
    const successes = filterSuccesses(variationOutcomes).map(({ statistics }) => statistics);
    const { metrics, serverMetrics } = combineVariation(successes, settings.confidenceLevel);
    return [
      {
        parameters,
        variation_index: index,
        variation_label: label,
        num_successful_runs: successes.length,
        requests: sumCounts(variationOutcomes),
        metrics,
        ...(Object.keys(serverMetrics).length > 0 ? { server_metrics: serverMetrics } : {}),
      },
    ];
  });
  return {
    schema_version: '1.0',
    aiperf_version: AIPERF_VERSION,
    servelens_version: settings.version,
    aggregation_type: 'sweep',
    num_profile_runs: outcomes.length,
    num_successful_runs: filterSuccesses(outcomes).length,
    failed_runs: listFailedRuns(outcomes, ({ variation, label }) => `${variation.label}/${label}`),
    metadata: createMetadata(plan, variations.length, settings),
    per_combination_metrics: variations,
    ...findBest(variations),
  };
}

function createMetadata(
  { sweepId, parameters, repetition }: RepeatPlan,
  combinations: number,
  { confidenceLevel, cooldownSeconds, wasCancelled }: AggregateSettings,
): ProfileSweep['metadata'] {
  return {
    ...(sweepId === undefined ? {} : { sweep_id: sweepId }),
    sweep_parameters: parameters.map(({ name, values }) => ({ name, values })),
    num_combinations: combinations,
    num_trials: repetition.runs,
    confidence_level: confidenceLevel,
    cooldown_seconds: cooldownSeconds,
    iteration_order: repetition.mode,
    was_cancelled: wasCancelled,
  };
}

/** Finds the best and the Pareto-optimal variations. Ignores variations without both objectives. */
function findBest(
  variations: readonly SweepVariation[],
): Pick<ProfileSweep, 'best_configurations' | 'pareto_optimal'> {
  const latency = LATENCIES.find(name => variations.some(({ metrics }) => metrics[name]));
  if (latency === undefined) return { best_configurations: {}, pareto_optimal: [] };
  const candidates = variations.filter(({ metrics }) => metrics[THROUGHPUT] && metrics[latency]);
  if (candidates.length === 0) return { best_configurations: {}, pareto_optimal: [] };
  const points = candidates.map(({ metrics }) => ({
    maximized: metrics[THROUGHPUT]!.mean,
    minimized: metrics[latency]!.mean,
  }));
  const findBestBy = (name: string, sign: number): BestConfiguration => {
    const [first] = [...candidates].sort((a, b) => sign * (a.metrics[name]!.mean - b.metrics[name]!.mean));
    const { mean, unit } = first!.metrics[name]!;
    return { parameters: first!.parameters, metric: mean, unit, metric_name: name };
  };
  return {
    best_configurations: {
      best_throughput: findBestBy(THROUGHPUT, -1),
      best_latency_p99: findBestBy(latency, 1),
    },
    pareto_optimal: findParetoPoints(points).map(at => candidates[at]!.parameters),
  };
}
