import { findParetoPoints } from '@org/core';
import type { BestConfiguration, ProfileSweep, SweepVariation } from '@org/formats';
import type { AggregateSettings } from './aggregate.ts';
import { combineVariation } from './combine.ts';
import { failedRuns, type RunOutcome, successes } from './outcome.ts';
import type { RunPlan } from './plan.ts';

/** More of it is better, and less of one of these: the first that all variations have. */
const THROUGHPUT = 'request_throughput_avg';
const LATENCIES = ['time_to_first_token_p99', 'request_latency_p99'] as const;

/** profile_export_aiperf_sweep.json: one entry for each variation that was begun. */
export function sweepDocument(
  plan: RunPlan,
  outcomes: readonly RunOutcome[],
  settings: AggregateSettings,
): ProfileSweep {
  const variations = plan.variations.flatMap(({ index, label, parameters }): SweepVariation[] => {
    const own = outcomes.filter(({ run }) => run.variation.index === index);
    if (own.length === 0) return [];
    const good = successes(own).map(({ figures }) => figures);
    const { metrics, serverMetrics } = combineVariation(good, settings.confidenceLevel);
    return [
      {
        parameters,
        variation_index: index,
        variation_label: label,
        num_successful_runs: good.length,
        metrics,
        ...(Object.keys(serverMetrics).length > 0 ? { server_metrics: serverMetrics } : {}),
      },
    ];
  });
  return {
    schema_version: '1.0',
    aiperf_version: settings.version,
    aggregation_type: 'sweep',
    num_profile_runs: outcomes.length,
    num_successful_runs: successes(outcomes).length,
    failed_runs: failedRuns(outcomes, ({ variation, label }) => `${variation.label}/${label}`),
    metadata: metadataOf(plan, variations.length, settings),
    per_combination_metrics: variations,
    ...objectives(variations),
  };
}

function metadataOf(
  { sweepId, parameters, repetition }: RunPlan,
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

/** Which variations no other surpasses; those of which a figure is missing are no candidates. */
function objectives(
  variations: readonly SweepVariation[],
): Pick<ProfileSweep, 'best_configurations' | 'pareto_optimal'> {
  const latency = LATENCIES.find(name => variations.some(({ metrics }) => metrics[name]));
  if (latency === undefined) return { best_configurations: {}, pareto_optimal: [] };
  const known = variations.filter(({ metrics }) => metrics[THROUGHPUT] && metrics[latency]);
  if (known.length === 0) return { best_configurations: {}, pareto_optimal: [] };
  const points = known.map(({ metrics }) => ({
    more: metrics[THROUGHPUT]!.mean,
    less: metrics[latency]!.mean,
  }));
  const best = (name: string, sign: number): BestConfiguration => {
    const [first] = [...known].sort((a, b) => sign * (a.metrics[name]!.mean - b.metrics[name]!.mean));
    const { mean, unit } = first!.metrics[name]!;
    return { parameters: first!.parameters, metric: mean, unit, metric_name: name };
  };
  return {
    best_configurations: { best_throughput: best(THROUGHPUT, -1), best_latency_p99: best(latency, 1) },
    pareto_optimal: findParetoPoints(points).map(at => known[at]!.parameters),
  };
}
