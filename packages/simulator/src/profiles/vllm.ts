import type { Engine } from '../engine/engine.ts';
import type { EngineObserver } from '../engine/observer.ts';
import type { Request } from '../engine/request.ts';
import type { ServerFault } from '../faults/serverFault.ts';
import { PYTHON_STYLE } from '../metrics/expositionStyle.ts';
import {
  getSeries,
  getSeriesByLabel,
  type LabelValues,
  type MetricFamily,
  Registry,
} from '../metrics/registry.ts';
import type { Counter, Gauge, Histogram } from '../metrics/series.ts';
import {
  createOneTwoFiveBounds,
  VLLM_FIRST_TOKEN_BOUNDS,
  VLLM_INTER_TOKEN_BOUNDS,
  VLLM_ITERATION_TOKEN_BOUNDS,
  VLLM_PARAMS_N_BOUNDS,
} from './bucketBounds.ts';
import { declareHttp } from './httpMetrics.ts';
import { createTextPage, type Profile, type ProfileContext, toSeconds } from './profile.ts';
import { declareProcess } from './pythonProcess.ts';
import { declareDurations, observeDurations } from './requestDurations.ts';
import { declareBlocks } from './vllmBlocks.ts';
import { declareFaults } from './vllmFaults.ts';

/** Creates the profile of vLLM 0.29: one page, with one set of series per engine. */
export function createVllmProfile(context: ProfileContext): Profile {
  const registry = new Registry(context);
  const refresh = declareProcess(registry, context);
  declareVllm(registry, context.engines, context.model, context.serverFaults);
  if (context.kvCacheMetrics) declareEngineBlocks(registry, context);
  const recordExchange = declareHttp(registry);
  return {
    pages: [
      createTextPage({ name: 'metrics', path: '/metrics', port: 'main' }, registry, PYTHON_STYLE, refresh),
    ],
    recordExchange,
  };
}

function declareEngineBlocks(registry: Registry, { engines, model }: ProfileContext): void {
  const addBlocks = declareBlocks(registry);
  for (const engine of engines) addBlocks(engine, createEngineLabels(engine, model));
}

function createEngineLabels({ options: { index } }: Engine, model: string): LabelValues {
  return { engine: String(index), model_name: model };
}

/** Declares vLLM's own families and updates them on engine events. Dynamo's worker exposes the same families. */
export function declareVllm(
  registry: Registry,
  engines: readonly Engine[],
  model: string,
  faults: readonly ServerFault[] = [],
): void {
  const maxModelLen = engines[0]!.options.maxModelLen;
  const families = {
    ...declareCounters(registry),
    ...declareGauges(registry),
    ...declareHistograms(registry, maxModelLen),
  };
  const faultObservers = declareFaults(registry, faults);
  for (const engine of engines) {
    const { index } = engine.options;
    const labels = createEngineLabels(engine, model);
    const isAsleep = faults.some(fault => fault.kind === 'sleep' && (fault.engine ?? index) === index);
    engine.observe(createObserver(engine, getEngineSeries(families, labels, isAsleep)));
    for (const createFaultObserver of faultObservers) engine.observe(createFaultObserver(labels));
  }
  declareConfig(registry, engines);
}

type Families = ReturnType<typeof declareCounters> &
  ReturnType<typeof declareGauges> &
  ReturnType<typeof declareHistograms>;

function declareCounters(registry: Registry) {
  const declareCounter = (name: string, help: string): MetricFamily<Counter> =>
    registry.counter(`vllm:${name}`, help);
  return {
    flops: declareCounter('estimated_flops_per_gpu', 'Estimated floating-point operations per GPU'),
    readBytes: declareCounter('estimated_read_bytes_per_gpu', 'Estimated bytes read from GPU memory'),
    writtenBytes: declareCounter('estimated_write_bytes_per_gpu', 'Estimated bytes written to GPU memory'),
    prefixQueries: declareCounter('prefix_cache_queries', 'Tokens looked up in the prefix cache'),
    prefixHits: declareCounter('prefix_cache_hits', 'Tokens found in the prefix cache'),
    externalQueries: declareCounter(
      'external_prefix_cache_queries',
      'Tokens looked up in other instances’ caches',
    ),
    externalHits: declareCounter('external_prefix_cache_hits', 'Tokens found in other instances’ caches'),
    mmQueries: declareCounter('mm_cache_queries', 'Items looked up in the multi-modal cache'),
    mmHits: declareCounter('mm_cache_hits', 'Items found in the multi-modal cache'),
    preemptions: declareCounter('num_preemptions', 'Preemptions due to lack of cache blocks'),
    promptTokens: declareCounter('prompt_tokens', 'Processed prompt tokens'),
    promptTokensBySource: declareCounter(
      'prompt_tokens_by_source',
      'Prompt tokens by source of their keys and values',
    ),
    promptTokensCached: declareCounter('prompt_tokens_cached', 'Prompt tokens found in a cache'),
    generationTokens: declareCounter('generation_tokens', 'Generated tokens'),
    success: declareCounter('request_success', 'Ended requests by finish reason'),
  };
}

function declareGauges(registry: Registry) {
  const declareGauge = (name: string, help: string): MetricFamily<Gauge> =>
    registry.gauge(`vllm:${name}`, help);
  return {
    running: declareGauge('num_requests_running', 'Requests in the running batch'),
    waiting: declareGauge('num_requests_waiting', 'Requests waiting for admission to the batch'),
    waitingByReason: declareGauge('num_requests_waiting_by_reason', 'Waiting requests by reason'),
    sleepState: declareGauge('engine_sleep_state', 'Sleep state of the engine'),
    kvUsage: declareGauge('kv_cache_usage_perc', 'Used share of the KV cache. 1 means 100 percent.'),
  };
}

function declareHistograms(registry: Registry, maxModelLen: number) {
  const tokens = createOneTwoFiveBounds(maxModelLen);
  const declareHistogram = (
    name: string,
    help: string,
    bounds: readonly number[],
  ): MetricFamily<Histogram> => {
    return registry.histogram(`vllm:${name}`, help, bounds);
  };
  return {
    requestPromptTokens: declareHistogram('request_prompt_tokens', 'Prompt tokens per request', tokens),
    requestGenerationTokens: declareHistogram(
      'request_generation_tokens',
      'Generated tokens per request',
      tokens,
    ),
    iterationTokens: declareHistogram(
      'iteration_tokens_total',
      'Tokens per engine step',
      VLLM_ITERATION_TOKEN_BOUNDS,
    ),
    maxGenerationTokens: declareHistogram(
      'request_max_num_generation_tokens',
      'Maximum number of generated tokens per request among parallel samples',
      tokens,
    ),
    paramsN: declareHistogram('request_params_n', 'Parameter n of requests', VLLM_PARAMS_N_BOUNDS),
    paramsMaxTokens: declareHistogram(
      'request_params_max_tokens',
      'Parameter max_tokens of requests',
      tokens,
    ),
    firstToken: declareHistogram(
      'time_to_first_token_seconds',
      'Time from arrival to the first token in seconds',
      VLLM_FIRST_TOKEN_BOUNDS,
    ),
    interToken: declareHistogram(
      'inter_token_latency_seconds',
      'Time between two tokens of a request in seconds',
      VLLM_INTER_TOKEN_BOUNDS,
    ),
    perToken: declareHistogram(
      'request_time_per_output_token_seconds',
      'Mean time per output token after the first, one value per request, in seconds',
      VLLM_INTER_TOKEN_BOUNDS,
    ),
    ...declareDurations(declareHistogram),
    computedTokens: declareHistogram(
      'request_prefill_kv_computed_tokens',
      'Prompt tokens per request that were not cached',
      tokens,
    ),
  };
}

const FINISH_REASONS = ['stop', 'length', 'abort', 'error', 'repetition'] as const;
const PROMPT_SOURCES = ['local_compute', 'local_cache_hit', 'external_kv_transfer'] as const;

/** Creates the series of one engine. As in the real server, all series exist from the start. */
function getEngineSeries(families: Families, labels: LabelValues, isAsleep: boolean) {
  const { success, promptTokensBySource, waitingByReason, sleepState, ...singleSeriesFamilies } = families;
  const sleep = getSeriesByLabel(sleepState, labels, 'sleep_state', [
    'awake',
    'weights_offloaded',
    'discard_all',
  ]);
  sleep[isAsleep ? 'weights_offloaded' : 'awake'].set(1);
  return {
    ...getSeries(singleSeriesFamilies, labels),
    success: getSeriesByLabel(success, labels, 'finished_reason', FINISH_REASONS),
    source: getSeriesByLabel(promptTokensBySource, labels, 'source', PROMPT_SOURCES),
    waitingFor: getSeriesByLabel(waitingByReason, labels, 'reason', ['capacity', 'deferred']),
  };
}

type Series = ReturnType<typeof getEngineSeries>;

/** Number of model parameters, for estimating floating-point operations and memory traffic. */
const MODEL_PARAMETERS = 8e9;

function createObserver(engine: Engine, series: Series): EngineObserver {
  return {
    onScheduled(request) {
      series.prefixQueries.inc(request.spec.promptTokens);
      series.prefixHits.inc(request.cachedTokens);
    },
    onPreempted() {
      series.preemptions.inc();
    },
    onToken(request, gapNs) {
      series.generationTokens.inc();
      if (request.generated > 1) {
        series.interToken.observe(toSeconds(gapNs));
        return;
      }
      series.firstToken.observe(toSeconds(gapNs));
      countPrompt(request, series);
    },
    onFinished(request) {
      series.success[request.finishReason!].inc();
      if (request.finishReason !== 'abort') observeRequest(request, series);
    },
    onStep(step) {
      series.iterationTokens.observe(step.prefillTokens + step.decodeRequests);
      series.running.set(engine.running);
      series.waiting.set(engine.waiting);
      series.waitingFor.capacity.set(engine.waiting);
      series.kvUsage.set(engine.kvUsage);
      const tokens = step.prefillTokens + step.decodeRequests;
      series.flops.inc(2 * MODEL_PARAMETERS * tokens);
      series.readBytes.inc(2 * MODEL_PARAMETERS + 131072 * step.contextTokens);
      series.writtenBytes.inc(131072 * tokens);
    },
  };
}

function countPrompt(request: Request, series: Series): void {
  const { promptTokens } = request.spec;
  series.promptTokens.inc(promptTokens);
  series.promptTokensCached.inc(request.cachedTokens);
  series.source.local_cache_hit.inc(request.cachedTokens);
  series.source.local_compute.inc(promptTokens - request.cachedTokens);
}

function observeRequest(request: Request, series: Series): void {
  const { spec, generated } = request;
  if (generated === 0) countPrompt(request, series);
  series.requestPromptTokens.observe(spec.promptTokens);
  series.requestGenerationTokens.observe(generated);
  series.maxGenerationTokens.observe(generated);
  series.paramsN.observe(1);
  if (spec.maxTokens !== undefined) series.paramsMaxTokens.observe(spec.maxTokens);
  series.computedTokens.observe(spec.promptTokens - request.cachedTokens);
  const decodeNs = observeDurations(request, series, request.queuedNs);
  series.perToken.observe(generated > 1 ? toSeconds(decodeNs) / (generated - 1) : 0);
}

/** As in the real server, each rank reports the blocks of all ranks, but its own number of tokens. */
function declareConfig(registry: Registry, engines: readonly Engine[]): void {
  const config = registry.gauge('vllm:cache_config_info', 'Configuration of the KV cache');
  const blocks = engines.reduce((sum, { options }) => sum + options.kvBlocks, 0);
  for (const { options } of engines) {
    const tokens = options.kvBlocks * options.blockSize;
    const labels = {
      ...UNUSED_SETTINGS,
      block_size: String(options.blockSize),
      enable_prefix_caching: options.prefixCaching ? 'True' : 'False',
      engine: String(options.index),
      kv_cache_max_concurrency: String(tokens / options.maxModelLen),
      kv_cache_size_tokens: String(tokens),
      num_gpu_blocks: String(blocks),
    };
    config.labels(labels).set(1);
  }
}

/** Settings of the KV cache that have no effect in the simulation. */
const UNUSED_SETTINGS = {
  _block_size_resolved: 'True',
  cache_dtype: 'auto',
  gpu_memory_utilization: '0.9',
  is_attention_free: 'False',
  kv_cache_dtype_skip_layers: '[]',
  kv_cache_layout: 'None',
  kv_cache_memory_bytes: 'None',
  kv_offloading_backend: 'native',
  kv_offloading_size: 'None',
  kv_sharing_fast_prefill: 'False',
  mamba_block_size: 'None',
  mamba_cache_dtype: 'auto',
  mamba_cache_mode: 'none',
  mamba_page_size_padded: 'None',
  mamba_ssm_cache_dtype: 'float32',
  num_cpu_blocks: 'None',
  num_gpu_blocks_override: 'None',
  prefix_cache_retention_interval: '0',
  prefix_caching_hash_algo: 'sha256',
  prefix_match_unit: 'None',
  replayssm_buffer_len: '16',
  skip_page_size_padded: 'None',
  sliding_window: 'None',
  use_kda_recoverssm: 'False',
  use_replayssm: 'False',
  user_specified_block_size: 'False',
  user_specified_mamba_block_size: 'False',
};
