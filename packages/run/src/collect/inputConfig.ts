import { redactCommand } from '@org/core';
import type { CollectPlan } from '../plan/collectPlan.ts';
import type { ResolvedPlan } from '../plan/runPlan.ts';

/** Creates `input_config`, the configuration of a run as recorded in its exports, without secrets. */
export function createInputConfig(
  plan: ResolvedPlan<CollectPlan>,
  cliCommand: string | undefined,
  benchmarkId: string,
): Record<string, unknown> {
  const { command = [], config, durationSeconds, prefix, settings, settleSeconds, targets } = plan;
  const { formats, layouts, percentileMethod, sliceSeconds } = plan.exports;
  const { jsonLayout, csvLayout } = layouts;
  return {
    benchmark_id: benchmarkId,
    ...(cliCommand === undefined ? {} : { cli_command: cliCommand }),
    ...(config === undefined ? {} : { config }),
    server_metrics: targets.map(({ url }) => url),
    server_metrics_formats: formats,
    ...(jsonLayout === undefined ? {} : { json_layout: jsonLayout }),
    ...(csvLayout === undefined ? {} : { csv_layout: csvLayout }),
    ...(command.length > 0 ? { command: redactCommand(command) } : {}),
    warmup_duration: plan.warmupSeconds ?? 0,
    ...(settleSeconds === undefined ? {} : { settle: settleSeconds }),
    ...(durationSeconds === undefined ? {} : { duration: durationSeconds }),
    ...(sliceSeconds === undefined ? {} : { slice_duration: sliceSeconds }),
    ...(prefix === undefined ? {} : { profile_export_prefix: prefix }),
    percentile_method: percentileMethod,
    collection_interval: settings.intervalMs / 1000,
  };
}
