import {
  type AggregateMetadata,
  AIPERF_VERSION,
  type Convergence,
  type ProfileAggregate,
} from '@org/formats';
import { type Compatibility, formatAiperfLabel, MIN_INTERVAL_RUNS } from '@org/record';
import { combineRuns } from '@org/record/aggregate';
import type { RepeatPlan, Variation } from './repeatPlan.ts';
import {
  countRuns,
  filterSuccesses,
  listFailedRuns,
  type RunOutcome,
  type RunSuccess,
  sumCounts,
} from './runOutcome.ts';
import { listStatistics } from './runStatistics.ts';

/** Settings recorded in aggregates. */
export interface AggregateSettings {
  readonly version: string;
  /** Confidence level of the intervals, between 0 and 1. */
  readonly confidenceLevel: number;
  readonly cooldownSeconds: number;
  /** True if the sequence of runs was interrupted. */
  readonly wasCancelled: boolean;
  /** Name of the model. */
  readonly model?: string | undefined;
  /** The agreement of the runs of the variation, if a rule may end them early. */
  readonly convergence?: Convergence | undefined;
  /** The program whose fields are written; Servelens by default. */
  readonly compatibility?: Compatibility | undefined;
}

/**
 * Creates profile_export_aiperf_aggregate.json, the aggregate of the runs of one variation. Returns undefined if no run
 * succeeded, or outside of sweeps if fewer than two runs succeeded.
 */
export function createAggregate(
  plan: Pick<RepeatPlan, 'isSweep' | 'repetition'>,
  variation: Variation,
  outcomes: readonly RunOutcome[],
  settings: AggregateSettings,
): ProfileAggregate | undefined {
  const successes = filterSuccesses(outcomes);
  if (successes.length < (plan.isSweep ? 1 : MIN_INTERVAL_RUNS)) return undefined;
  const { metrics, serverMetrics } = combineRuns(
    listStatistics(successes, settings.compatibility),
    settings.confidenceLevel,
  );
  // The server metrics of a single run are in its own export.
  const hasServerMetrics =
    settings.compatibility !== 'aiperf-0.13' &&
    successes.length >= MIN_INTERVAL_RUNS &&
    Object.keys(serverMetrics).length > 0;
  return {
    schema_version: '1.0',
    aiperf_version: AIPERF_VERSION,
    ...(settings.compatibility === 'aiperf-0.13' ? {} : { servelens_version: settings.version }),
    metadata: {
      ...createMetadata(outcomes, successes, settings),
      ...(plan.isSweep ? describeVariation(plan, variation, settings) : {}),
    },
    metrics,
    ...(hasServerMetrics ? { server_metrics: serverMetrics } : {}),
  };
}

function createMetadata(
  outcomes: readonly RunOutcome[],
  successes: readonly RunSuccess[],
  { confidenceLevel, cooldownSeconds, wasCancelled, compatibility, convergence }: AggregateSettings,
): AggregateMetadata {
  const isAiperf = compatibility === 'aiperf-0.13';
  return {
    aggregation_type: 'confidence',
    num_profile_runs: countRuns(outcomes),
    num_successful_runs: successes.length,
    ...(isAiperf ? {} : { requests: sumCounts(outcomes) }),
    failed_runs: listFailedRuns(outcomes, ({ label }) => label),
    confidence_level: confidenceLevel,
    run_labels: successes.map(({ run }) => run.label),
    ...(successes.length < MIN_INTERVAL_RUNS ? { single_run: true } : {}),
    cooldown_seconds: cooldownSeconds,
    ...(isAiperf || convergence === undefined ? {} : { convergence }),
    ...(isAiperf ? {} : { was_cancelled: wasCancelled }),
  };
}

/** Describes the variation of an aggregate. AIPerf's plots read the model and the values from it. */
function describeVariation(
  { repetition }: Pick<RepeatPlan, 'repetition'>,
  { label, values }: Variation,
  { model, compatibility }: AggregateSettings,
): Partial<AggregateMetadata> {
  return {
    variation_label: compatibility === 'aiperf-0.13' ? formatAiperfLabel(values) : label,
    variation_values: values,
    sweep_mode: repetition.mode,
    ...(model === undefined ? {} : { model }),
  };
}
