import { type AggregateMetadata, AIPERF_VERSION, type ProfileAggregate } from '@org/formats';
import { combineRuns } from './combinedStatistics.ts';
import { MIN_INTERVAL_RUNS } from './repeatPlan.ts';
import {
  filterSuccesses,
  listFailedRuns,
  type RunOutcome,
  type RunSuccess,
  sumCounts,
} from './runOutcome.ts';

/** Settings recorded in aggregates. */
export interface AggregateSettings {
  readonly version: string;
  /** Confidence level of the intervals, between 0 and 1. */
  readonly confidenceLevel: number;
  readonly cooldownSeconds: number;
  /** True if the sequence of runs was interrupted. */
  readonly wasCancelled: boolean;
}

/**
 * Creates profile_export_aiperf_aggregate.json, the aggregate of the runs of one variation. Returns undefined
 * if fewer than two runs succeeded.
 */
export function createAggregate(
  outcomes: readonly RunOutcome[],
  settings: AggregateSettings,
): ProfileAggregate | undefined {
  const successes = filterSuccesses(outcomes);
  if (successes.length < MIN_INTERVAL_RUNS) return undefined;
  const { metrics, serverMetrics } = combineRuns(
    successes.map(({ statistics }) => statistics),
    settings.confidenceLevel,
  );
  return {
    schema_version: '1.0',
    aiperf_version: AIPERF_VERSION,
    servelens_version: settings.version,
    metadata: createMetadata(outcomes, successes, settings),
    metrics,
    ...(Object.keys(serverMetrics).length > 0 ? { server_metrics: serverMetrics } : {}),
  };
}

function createMetadata(
  outcomes: readonly RunOutcome[],
  successes: readonly RunSuccess[],
  { confidenceLevel, cooldownSeconds, wasCancelled }: AggregateSettings,
): AggregateMetadata {
  return {
    aggregation_type: 'confidence',
    num_profile_runs: outcomes.length,
    num_successful_runs: successes.length,
    requests: sumCounts(outcomes),
    failed_runs: listFailedRuns(outcomes, ({ label }) => label),
    confidence_level: confidenceLevel,
    run_labels: successes.map(({ run }) => run.label),
    cooldown_seconds: cooldownSeconds,
    was_cancelled: wasCancelled,
  };
}
