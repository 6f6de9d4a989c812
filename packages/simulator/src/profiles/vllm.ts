import type { Engine } from '../engine/engine.ts';
import type { EngineObserver } from '../engine/observer.ts';
import type { Request } from '../engine/request.ts';
import type { LabelValues, MetricFamily } from '../metrics/registry.ts';
import { Registry } from '../metrics/registry.ts';
import type { Counter, Gauge, Histogram } from '../metrics/series.ts';
import { pythonStyle } from '../metrics/style.ts';
import { oneTwoFive, vllmFirstToken, vllmInterToken, vllmIterationTokens, vllmParamsN } from './buckets.ts';
import { eachFamily, eachValue } from './each.ts';
import { declareHttp } from './http.ts';
import { declareProcess } from './process.ts';
import { type Profile, type ProfileContext, seconds, textPage } from './profile.ts';
import { declareTimes, observeTimes } from './requesttimes.ts';

/** vLLM V1 as of early 2026: one page, one set of series an engine. */
export function vllmProfile(context: ProfileContext): Profile {
  const registry = new Registry(context);
  const refresh = declareProcess(registry, context);
  declareVllm(registry, context.engines, context.model);
  const exchanged = declareHttp(registry);
  return {
    pages: [textPage({ name: 'metrics', path: '/metrics', port: 'main' }, registry, pythonStyle, refresh)],
    exchanged,
  };
}

/** Declares vLLM's own families and has the engines feed them; Dynamo's worker exposes them too. */
export function declareVllm(registry: Registry, engines: readonly Engine[], model: string): void {
  const largest = engines[0]!.options.maxModelLen;
  const families = {
    ...declareCounters(registry),
    ...declareGauges(registry),
    ...declareHistograms(registry, largest),
  };
  for (const engine of engines) {
    const labels = { engine: String(engine.options.index), model_name: model };
    engine.observe(observer(engine, seriesOf(families, labels)));
  }
  declareConfig(registry, engines);
}

type Families = ReturnType<typeof declareCounters> &
  ReturnType<typeof declareGauges> &
  ReturnType<typeof declareHistograms>;

function declareCounters(registry: Registry) {
  const counter = (name: string, help: string): MetricFamily<Counter> =>
    registry.counter(`vllm:${name}`, help);
  return {
    flops: counter('estimated_flops_per_gpu', 'Floating point operations by GPU, estimated'),
    readBytes: counter('estimated_read_bytes_per_gpu', 'Bytes read from GPU memory, estimated'),
    writtenBytes: counter('estimated_write_bytes_per_gpu', 'Bytes written to GPU memory, estimated'),
    prefixQueries: counter('prefix_cache_queries', 'Tokens looked up in the prefix cache'),
    prefixHits: counter('prefix_cache_hits', 'Tokens found in the prefix cache'),
    externalQueries: counter('external_prefix_cache_queries', 'Tokens looked up in other instances’ caches'),
    externalHits: counter('external_prefix_cache_hits', 'Tokens found in other instances’ caches'),
    mmQueries: counter('mm_cache_queries', 'Items looked up in the multi-modal cache'),
    mmHits: counter('mm_cache_hits', 'Items found in the multi-modal cache'),
    preemptions: counter('num_preemptions', 'Requests sent back to the queue for want of cache blocks'),
    promptTokens: counter('prompt_tokens', 'Prompt tokens processed'),
    promptTokensBySource: counter(
      'prompt_tokens_by_source',
      'Prompt tokens by where their keys and values came from',
    ),
    promptTokensCached: counter('prompt_tokens_cached', 'Prompt tokens that came from a cache'),
    promptTokensRecomputed: counter('prompt_tokens_recomputed', 'Cached tokens that were computed once more'),
    generationTokens: counter('generation_tokens', 'Tokens generated'),
    success: counter('request_success', 'Requests that ended, by reason'),
  };
}

function declareGauges(registry: Registry) {
  const gauge = (name: string, help: string): MetricFamily<Gauge> => registry.gauge(`vllm:${name}`, help);
  return {
    running: gauge('num_requests_running', 'Requests in the running batch'),
    waiting: gauge('num_requests_waiting', 'Requests that wait for a place in the batch'),
    waitingByReason: gauge('num_requests_waiting_by_reason', 'Waiting requests by what they wait for'),
    sleepState: gauge('engine_sleep_state', 'Whether the engine is awake, and if not, how deep it sleeps'),
    kvUsage: gauge('kv_cache_usage_perc', 'Used part of the KV cache. 1 means 100 percent.'),
  };
}

function declareHistograms(registry: Registry, largest: number) {
  const tokens = oneTwoFive(largest);
  const histogram = (name: string, help: string, bounds: readonly number[]): MetricFamily<Histogram> => {
    return registry.histogram(`vllm:${name}`, help, bounds);
  };
  return {
    requestPromptTokens: histogram('request_prompt_tokens', 'Prompt tokens by request', tokens),
    requestGenerationTokens: histogram('request_generation_tokens', 'Generated tokens by request', tokens),
    iterationTokens: histogram('iteration_tokens_total', 'Tokens by engine step', vllmIterationTokens),
    maxGenerationTokens: histogram(
      'request_max_num_generation_tokens',
      'Longest answer by request, of those generated in parallel',
      tokens,
    ),
    paramsN: histogram('request_params_n', 'The parameter n of the requests', vllmParamsN),
    paramsMaxTokens: histogram(
      'request_params_max_tokens',
      'The parameter max_tokens of the requests',
      tokens,
    ),
    firstToken: histogram(
      'time_to_first_token_seconds',
      'From arrival to the first token, in seconds',
      vllmFirstToken,
    ),
    interToken: histogram(
      'inter_token_latency_seconds',
      'Between two tokens of a request, in seconds',
      vllmInterToken,
    ),
    perToken: histogram(
      'request_time_per_output_token_seconds',
      'Mean time by token after the first, one value a request, in seconds',
      vllmInterToken,
    ),
    ...declareTimes(histogram),
    computedTokens: histogram(
      'request_prefill_kv_computed_tokens',
      'Prompt tokens by request that no cache had',
      tokens,
    ),
  };
}

const finishReasons = ['stop', 'length', 'abort', 'error', 'repetition'] as const;
const sources = ['local_compute', 'local_cache_hit', 'external_kv_transfer'] as const;

/** The series of one engine; like the real server, all of them exist from the start. */
function seriesOf(families: Families, labels: LabelValues) {
  const { success, promptTokensBySource, waitingByReason, sleepState, ...plain } = families;
  const sleep = eachValue(sleepState, labels, 'sleep_state', ['awake', 'weights_offloaded', 'discard_all']);
  sleep.awake.set(1);
  return {
    ...eachFamily(plain, labels),
    success: eachValue(success, labels, 'finished_reason', finishReasons),
    source: eachValue(promptTokensBySource, labels, 'source', sources),
    waitingFor: eachValue(waitingByReason, labels, 'reason', ['capacity', 'deferred']),
  };
}

type Series = ReturnType<typeof seriesOf>;

/** Parameters of the model, for the estimated work. */
const weights = 8e9;

function observer(engine: Engine, series: Series): EngineObserver {
  return {
    scheduled(request) {
      series.prefixQueries.inc(request.spec.promptTokens);
      series.prefixHits.inc(request.cachedTokens);
    },
    preempted() {
      series.preemptions.inc();
    },
    token(request, gapNs) {
      series.generationTokens.inc();
      if (request.generated > 1) {
        series.interToken.observe(seconds(gapNs));
        return;
      }
      series.firstToken.observe(seconds(gapNs));
      countPrompt(request, series);
    },
    finished(request) {
      series.success[request.finishReason!].inc();
      if (request.finishReason !== 'abort') observeRequest(request, series);
    },
    step(step) {
      series.iterationTokens.observe(step.prefillTokens + step.decodeRequests);
      series.running.set(engine.running);
      series.waiting.set(engine.waiting);
      series.waitingFor.capacity.set(engine.waiting);
      series.kvUsage.set(engine.kvUsage);
      const tokens = step.prefillTokens + step.decodeRequests;
      series.flops.inc(2 * weights * tokens);
      series.readBytes.inc(2 * weights + 131072 * step.contextTokens);
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
  const decodeNs = observeTimes(request, series, request.queuedNs);
  series.perToken.observe(generated > 1 ? seconds(decodeNs) / (generated - 1) : 0);
}

function declareConfig(registry: Registry, engines: readonly Engine[]): void {
  const config = registry.gauge('vllm:cache_config_info', 'How the KV cache is set up');
  for (const { options } of engines) {
    const labels = {
      block_size: String(options.blockSize),
      cache_dtype: 'auto',
      calculate_kv_scales: 'False',
      cpu_kvcache_space_bytes: 'None',
      cpu_offload_gb: '0',
      enable_prefix_caching: options.prefixCaching ? 'True' : 'False',
      engine: String(options.index),
      gpu_memory_utilization: '0.9',
      is_attention_free: 'False',
      kv_cache_memory_bytes: 'None',
      kv_sharing_fast_prefill: 'False',
      mamba_block_size: 'None',
      mamba_cache_dtype: 'auto',
      num_cpu_blocks: 'None',
      num_gpu_blocks: String(options.kvBlocks),
      num_gpu_blocks_override: 'None',
      prefix_caching_hash_algo: 'sha256',
      sliding_window: 'None',
      swap_space: '4.0',
    };
    config.labels(labels).set(1);
  }
}
