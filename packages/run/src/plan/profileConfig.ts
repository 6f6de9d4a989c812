import { formatShard } from '@org/core';
import { recordDefinitions } from '@org/record';
import { type ConfigFields as Fields, omitMissing } from './configFields.ts';
import { toDataset } from './datasetConfig.ts';
import { describeDerivedTargets } from './derivedTargets.ts';
import { toEndpoint } from './endpointConfig.ts';
import { describeGpuOptions, toGpuTelemetry } from './gpuConfig.ts';
import { toPhases } from './phaseConfig.ts';
import type { ProfilePlan, RequestPlan } from './profilePlan.ts';
import type { ResolvedPlan } from './runPlan.ts';

/** The configuration of a run as recorded in its exports, without secrets. */
export interface RecordedConfig {
  /** The configuration in the shape of AIPerf's BenchmarkConfig, which allows no other fields. */
  readonly inputConfig: Fields;
  /** The options that AIPerf's configuration does not have. */
  readonly servelensConfig?: Fields;
}

/** Creates the recorded configuration of a profile run. */
export function createProfileConfig(plan: ResolvedPlan<ProfilePlan>): Required<RecordedConfig> {
  const servelensConfig = createServelensConfig(plan);
  return {
    inputConfig: createInputConfig(plan),
    servelensConfig: recordDefinitions(servelensConfig, plan.servers ?? []) ?? servelensConfig,
  };
}

function createInputConfig(plan: ResolvedPlan<ProfilePlan>): Fields {
  const { exportLevel, exportOutputs, folder, goodput, prefix, request, targets, tokenizer, workers } = plan;
  const { formats, sliceSeconds } = plan.exports;
  return {
    models: toModels(request),
    endpoint: toEndpoint(plan),
    datasets: [toDataset(plan)],
    phases: toPhases(plan),
    artifacts: {
      dir: folder,
      ...omitMissing({ prefix, slice_duration: sliceSeconds }),
      ...describeLevel(exportLevel),
      auto_plot: false,
      plot_required: false,
      ...(exportOutputs ? { export_outputs_json: true } : {}),
    },
    ...(goodput ? { slos: Object.fromEntries(goodput.map(({ tag, limit }) => [tag, limit])) } : {}),
    tokenizer: { name: tokenizer, ...omitMissing({ apply_chat_template: plan.inputs.appliesChatTemplate }) },
    gpu_telemetry: toGpuTelemetry(plan.gpuTelemetry),
    server_metrics:
      targets.length === 0
        ? { enabled: false }
        : {
            enabled: true,
            urls: targets.filter(({ isDerived }) => !isDerived).map(({ url }) => url),
            formats,
          },
    network_latency: toNetworkLatency(plan.networkLatency),
    otel: {},
    mlflow: {},
    wandb: {},
    runtime: { ui: 'none', ...omitMissing({ workers }) },
  };
}

function toNetworkLatency(plan: ProfilePlan['networkLatency']): Fields {
  if (plan === undefined) return { enabled: false };
  return {
    enabled: true,
    ...('meanMs' in plan ? { mean_ms: plan.meanMs } : { ping_interval: plan.intervalS }),
  };
}

function describeLevel(level: ProfilePlan['exportLevel']): Fields {
  if (level === 'raw') return { records: ['jsonl'], raw: true };
  return level === 'summary' ? { records: false, raw: false } : {};
}

function createServelensConfig(plan: ResolvedPlan<ProfilePlan>): Fields {
  const { exports, gpuTelemetry, inputs, settings, settleSeconds, targets, workers, tokenCount } = plan;
  const { compatibility, jsonLayout, percentileMethod, window } = exports;
  return {
    token_count: tokenCount,
    ...(inputs.file === undefined && inputs.entries === undefined ? { unique_prompts: true } : {}),
    ...omitMissing({
      workers,
      json_layout: jsonLayout,
      settle: settleSeconds,
      window,
      over_saturation_window: plan.overSaturationSeconds,
      shard: plan.shard && formatShard(plan.shard),
    }),
    ...(compatibility === 'servelens' ? {} : { compat: compatibility }),
    ...describeGpuOptions(gpuTelemetry),
    ...(targets.length > 0
      ? {
          ...describeDerivedTargets(targets),
          percentile_method: percentileMethod,
          collection_interval: settings.intervalMs / 1000,
        }
      : {}),
  };
}

function toModels({ models, modelSelection = 'round_robin' }: RequestPlan): Fields {
  return {
    ...(models.length > 1 ? { strategy: modelSelection } : {}),
    items: models.map(name => ({ name })),
  };
}
