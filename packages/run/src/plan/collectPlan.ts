import { formatShard, redactCommand } from '@org/core';
import { recordDefinitions } from '@org/record';
import { describeDerivedTargets } from './derivedTargets.ts';
import { describeGpuOptions, toGpuTelemetry } from './gpuConfig.ts';
import type { RecordedConfig } from './profileConfig.ts';
import type { ResolvedPlan, RunPlan } from './runPlan.ts';

/** A run that scrapes endpoints while a workload runs, for a fixed duration, or until it is interrupted. */
export interface CollectPlan extends RunPlan {
  /** Duration of the warm-up, in seconds; 0 by default. Statistics exclude the warm-up. */
  readonly warmupSeconds?: number;
  /** Duration of profiling, in seconds. Not allowed together with a workload. */
  readonly durationSeconds?: number;
  /** Command line of the workload. It is recorded in the exports without its secrets, and not executed. */
  readonly command?: readonly string[];
  /** Path of the configuration file that lists the targets. It is recorded in the exports, and not read. */
  readonly config?: string;
}

/**
 * Creates the recorded configuration of a collect run, without secrets. AIPerf has no such runs, so `input_config`
 * contains our options. In files of AIPerf, it contains only the options that AIPerf also has.
 */
export function createCollectConfig(
  plan: ResolvedPlan<CollectPlan>,
  benchmarkId: string,
  cliCommand: string | undefined,
): RecordedConfig {
  const options = listOptions(plan, benchmarkId, cliCommand);
  const isAiperf = plan.exports.compatibility !== 'servelens';
  const servelensConfig = recordDefinitions(isAiperf ? options : undefined, plan.servers ?? []);
  return {
    inputConfig: isAiperf ? createAiperfConfig(plan) : options,
    ...(servelensConfig ? { servelensConfig } : {}),
  };
}

function createAiperfConfig({
  exports,
  folder,
  gpuTelemetry,
  prefix,
  targets,
}: ResolvedPlan<CollectPlan>): Record<string, unknown> {
  const { formats, sliceSeconds } = exports;
  return {
    artifacts: {
      dir: folder,
      ...(prefix === undefined ? {} : { prefix }),
      ...(sliceSeconds === undefined ? {} : { slice_duration: sliceSeconds }),
    },
    gpu_telemetry: toGpuTelemetry(gpuTelemetry),
    server_metrics: { enabled: true, urls: targets.map(({ url }) => url), formats },
  };
}

function listOptions(
  plan: ResolvedPlan<CollectPlan>,
  benchmarkId: string,
  cliCommand: string | undefined,
): Record<string, unknown> {
  const {
    command = [],
    config,
    durationSeconds,
    gpuTelemetry,
    prefix,
    settings,
    settleSeconds,
    targets,
  } = plan;
  const { compatibility, formats, jsonLayout, percentileMethod, sliceSeconds, window } = plan.exports;
  return {
    benchmark_id: benchmarkId,
    ...(cliCommand === undefined ? {} : { cli_command: cliCommand }),
    ...(config === undefined ? {} : { config }),
    server_metrics: targets.map(({ url }) => url),
    ...describeDerivedTargets(targets),
    server_metrics_formats: formats,
    ...(jsonLayout === undefined ? {} : { json_layout: jsonLayout }),
    ...(compatibility === 'servelens' ? {} : { compat: compatibility }),
    ...(gpuTelemetry ? { gpu_telemetry: toGpuTelemetry(gpuTelemetry) } : {}),
    ...describeGpuOptions(gpuTelemetry),
    ...(command.length > 0 ? { command: redactCommand(command) } : {}),
    warmup_duration: plan.warmupSeconds ?? 0,
    ...(settleSeconds === undefined ? {} : { settle: settleSeconds }),
    ...(plan.shard === undefined ? {} : { shard: formatShard(plan.shard) }),
    ...(durationSeconds === undefined ? {} : { duration: durationSeconds }),
    ...(sliceSeconds === undefined ? {} : { slice_duration: sliceSeconds }),
    ...(window === undefined ? {} : { window }),
    ...(prefix === undefined ? {} : { profile_export_prefix: prefix }),
    percentile_method: percentileMethod,
    collection_interval: settings.intervalMs / 1000,
  };
}
