import { formatShard } from '@org/core';
import { formatGpuMapEntry, type GpuTelemetryPlan } from '@org/gpu';
import type { CancellationOptions, PhaseOptions, TraceReplay, TraceSynthesis } from '@org/loadgen';
import { recordDefinitions } from '@org/record';
import type { InputPlan, ProfilePlan, RequestPlan } from '../plan/profilePlan.ts';
import type { ResolvedPlan } from '../plan/runPlan.ts';
import { type ConfigFields as Fields, omitMissing, toDistribution } from './configFields.ts';
import { describeDerivedTargets } from './derivedTargets.ts';
import { toEndpoint } from './endpointConfig.ts';
import { describeMedia } from './mediaConfig.ts';

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

/** Returns the options about GPUs that AIPerf does not have. */
export function describeGpuOptions(plan: GpuTelemetryPlan | undefined): Fields {
  const { gpus = [], map = [] } = plan ?? {};
  return {
    ...(gpus.length > 0 ? { gpus } : {}),
    ...(map.length > 0 ? { gpu_map: map.map(formatGpuMapEntry) } : {}),
  };
}

function toModels({ models, modelSelection = 'round_robin' }: RequestPlan): Fields {
  return {
    ...(models.length > 1 ? { strategy: modelSelection } : {}),
    items: models.map(name => ({ name })),
  };
}

/** Returns the sources of GPU telemetry in AIPerf's shape. */
export function toGpuTelemetry(plan: GpuTelemetryPlan | undefined): Fields {
  if (!plan) return { enabled: false };
  const { exporters, commands } = plan;
  const collector = commands.length === 0 ? 'dcgm' : commands[0] === 'amd' ? 'amdsmi' : 'pynvml';
  const isExplicit = exporters.length > 0 || commands.length > 0;
  return {
    enabled: true,
    ...(isExplicit ? { urls: exporters.map(({ url }) => url), collector, mode: 'summary' } : {}),
  };
}

/** The name that AIPerf gives to the only data set of a run. */
const DATASET_NAME = 'main';

function toDataset({ inputs, profiling, seed }: ProfilePlan): Fields {
  const { file, datasetType, sampling, outputTokens } = inputs;
  if (file === undefined) return toSyntheticDataset(inputs, profiling, seed);
  return {
    name: DATASET_NAME,
    type: 'file',
    path: file,
    ...omitMissing({ format: datasetType }),
    sampling,
    random_seed: seed,
    ...omitMissing({
      osl: toDistribution(outputTokens),
      system_prompt: inputs.systemPrompt,
      entries: datasetType === 'random_pool' ? inputs.entries : undefined,
      block_size: inputs.blockTokens,
      synthesis: toSynthesis(inputs.synthesis),
      inter_turn_delay_cap_seconds: inputs.delayCapSeconds,
      ...toReplay(inputs.replay),
      cache_bust: toCacheBust(inputs),
      prompts: inputs.corpus && { corpus: inputs.corpus },
    }),
  };
}

function toSyntheticDataset(inputs: InputPlan, profiling: PhaseOptions, seed: number): Fields {
  const { inputTokens, outputTokens, turns, turnDelayMs, lengths } = inputs;
  return {
    name: DATASET_NAME,
    type: 'synthetic',
    // Without a limit, each session has another prompt.
    ...omitMissing({ entries: inputs.entries ?? profiling.sessionCount ?? profiling.requestCount }),
    ...(inputs.sampling === 'sequential' ? {} : { sampling: inputs.sampling }),
    random_seed: seed,
    prompts: omitMissing({
      isl: toDistribution(inputTokens),
      osl: toDistribution(outputTokens),
      batch_size: inputs.textsPerTurn,
      sequence_distribution: lengths?.map(({ input, output, percent }) => ({
        isl: input,
        osl: output,
        probability: percent,
      })),
      random_range_ratio: inputs.range?.ratio,
      random_corpus_style: inputs.range?.style,
      corpus: inputs.corpus,
      cache_bust: toCacheBust(inputs),
    }),
    ...omitMissing({
      turns: toDistribution(turns),
      turn_delay: toDistribution(turnDelayMs),
      turn_delay_ratio: inputs.turnDelayRatio,
      prefix_prompts: toPrefixPrompts(inputs),
      ...describeMedia(inputs),
      system_prompt: inputs.systemPrompt,
    }),
  };
}

/** Returns the changes of a trace in AIPerf's shape. */
function toSynthesis(synthesis: TraceSynthesis | undefined): Fields | undefined {
  if (synthesis === undefined) return undefined;
  return omitMissing({
    speedup_ratio: synthesis.speedup,
    prefix_len_multiplier: synthesis.prefixFactor,
    prefix_root_multiplier: synthesis.prefixCopies,
    prompt_len_multiplier: synthesis.promptFactor,
    output_len_multiplier: synthesis.outputFactor,
    max_isl: synthesis.maxInput,
    max_osl: synthesis.maxOutput,
  });
}

/** Returns the replay of a trace in AIPerf's shape. */
function toReplay(replay: TraceReplay | undefined): Fields {
  if (replay === undefined) return {};
  const { turns, maxIdleMs } = replay;
  return omitMissing({
    trace_session_sample_ratio: replay.sessionShare,
    replay_speedup: replay.speedup,
    max_idle_gap_cap_seconds: maxIdleMs === undefined ? undefined : maxIdleMs / 1000,
    open_loop_replay: turns === 'closed' ? false : undefined,
    open_loop_strict: turns === 'independent' ? true : undefined,
    omit_kv_hints: replay.omitsHints,
    force_min_tokens: replay.forcesLength,
  });
}

function toCacheBust({ cacheBust }: InputPlan): Fields | undefined {
  return cacheBust && { target: cacheBust };
}

function toPrefixPrompts({ sharedSystemTokens, userContextTokens, prefixes }: InputPlan): Fields | undefined {
  const fields = omitMissing({
    pool_size: prefixes?.size,
    length: prefixes?.tokens,
    shared_system_length: sharedSystemTokens,
    user_context_length: userContextTokens,
  });
  return Object.keys(fields).length === 0 ? undefined : fields;
}

function toPhases({ warmup, profiling, inputs, cancellation }: ProfilePlan): Fields[] {
  return [
    ...(warmup
      ? [
          {
            name: 'warmup',
            kind: 'warmup',
            type: getPhaseType(warmup),
            exclude_from_results: true,
            ...toPhase(warmup, inputs),
          },
        ]
      : []),
    {
      name: 'profiling',
      kind: 'profiling',
      type: getPhaseType(profiling),
      ...toPhase(profiling, inputs, cancellation),
    },
  ];
}

function toPhase(phase: PhaseOptions, inputs: InputPlan, cancellation?: CancellationOptions): Fields {
  const { concurrency, concurrencyRampS, requestCount, sessionCount, durationS, graceS } = phase;
  return {
    ...omitMissing({
      requests: requestCount,
      sessions: sessionCount,
      duration: durationS,
      concurrency,
      concurrency_ramp: toRamp(concurrencyRampS),
      prefill_concurrency: phase.prefillConcurrency,
      prefill_ramp: toRamp(phase.prefillRampS),
      // AIPerf accepts a grace period only after a duration.
      grace_period: durationS === undefined ? undefined : toGracePeriod(graceS),
      cancellation: cancellation && { rate: cancellation.percent, delay: cancellation.delayS ?? 0 },
      failed_request_threshold: phase.failedRequestThreshold,
      rate: phase.rateSeries === undefined ? phase.rate : undefined,
      rate_series: phase.rateSeries && {
        points: phase.rateSeries.map(({ timeS, perSecond }) => ({ time_s: timeS, qps: perSecond })),
      },
      users: phase.users,
      rate_ramp: toRamp(phase.rateRampS),
      smoothness: phase.pattern === 'gamma' ? phase.smoothness : undefined,
    }),
    ...(phase.fixedSchedule ? toScheduleWindow(inputs) : {}),
  };
}

function toGracePeriod(seconds: number | undefined): number | string | undefined {
  return seconds === Number.POSITIVE_INFINITY ? 'inf' : seconds;
}

function getPhaseType({ fixedSchedule, rate, users, pattern = 'poisson' }: PhaseOptions): string {
  if (fixedSchedule) return 'fixed_schedule';
  if (users !== undefined) return 'user_centric';
  return rate === undefined ? 'concurrency' : pattern;
}

function toRamp(seconds: number | undefined): Fields | undefined {
  return seconds === undefined ? undefined : { duration: seconds };
}

/** Returns the part of a schedule to replay. Without a start, it is replayed from its first timestamp. */
function toScheduleWindow({ startMs, endMs }: InputPlan): Fields {
  return {
    auto_offset: startMs === undefined,
    ...omitMissing({ start_offset: startMs, end_offset: endMs }),
  };
}
