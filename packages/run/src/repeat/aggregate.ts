import type { AggregateMetadata, ProfileAggregate } from '@org/formats';
import { combineRuns } from './combine.ts';
import { LEAST_RUNS } from './interval.ts';
import { failedRuns, type RunOutcome, type RunSuccess, successes } from './outcome.ts';

/** What the runs were told, as far as their aggregate says it. */
export interface AggregateSettings {
  readonly version: string;
  /** Share of such intervals that hold the true mean, between 0 and 1. */
  readonly confidenceLevel: number;
  readonly cooldownSeconds: number;
  /** Whether the repetition was interrupted. */
  readonly wasCancelled: boolean;
}

/**
 * profile_export_aiperf_aggregate.json of the runs of one variation (seed 004; reference, section B7). Undefined when fewer
 * than two succeeded.
 */
export function aggregateDocument(
  outcomes: readonly RunOutcome[],
  settings: AggregateSettings,
): ProfileAggregate | undefined {
  const good = successes(outcomes);
  if (good.length < LEAST_RUNS) return undefined;
  const { metrics, serverMetrics } = combineRuns(
    good.map(({ figures }) => figures),
    settings.confidenceLevel,
  );
  return {
    schema_version: '1.0',
    aiperf_version: settings.version,
    metadata: metadataOf(outcomes, good, settings),
    metrics,
    ...(Object.keys(serverMetrics).length > 0 ? { server_metrics: serverMetrics } : {}),
  };
}

function metadataOf(
  outcomes: readonly RunOutcome[],
  good: readonly RunSuccess[],
  { confidenceLevel, cooldownSeconds, wasCancelled }: AggregateSettings,
): AggregateMetadata {
  return {
    aggregation_type: 'confidence',
    num_profile_runs: outcomes.length,
    num_successful_runs: good.length,
    failed_runs: failedRuns(outcomes, ({ label }) => label),
    confidence_level: confidenceLevel,
    run_labels: good.map(({ run }) => run.label),
    cooldown_seconds: cooldownSeconds,
    was_cancelled: wasCancelled,
  };
}
