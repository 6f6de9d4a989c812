import type { Engine } from '../engine/engine.ts';
import type { EngineObserver } from '../engine/observer.ts';
import type { Request } from '../engine/request.ts';
import { PYTHON_STYLE } from '../metrics/expositionStyle.ts';
import { getSeries, getSeriesByLabel, Registry } from '../metrics/registry.ts';
import { VLLM_FIRST_TOKEN_BOUNDS, VLLM_INTER_TOKEN_BOUNDS } from './bucketBounds.ts';
import { createTextPage, type Page, type Profile, type ProfileContext, toSeconds } from './profile.ts';
import { declareProcess } from './pythonProcess.ts';
import { declareDurations, observeDurations } from './requestDurations.ts';
import { createIterationPage } from './trtllmIterations.ts';

/**
 * Creates the profile of TensorRT-LLM's trtllm-serve (early 2026): iteration statistics as JSON at /metrics,
 * with destructive reads, and Prometheus metrics at /prometheus/metrics. Each page can be disabled.
 */
export function createTrtllmProfile(context: ProfileContext): Profile {
  const { json, jsonContentType, exposition } = context.trtllm;
  const pages: Page[] = [];
  if (json) pages.push(createIterationPage(context, jsonContentType));
  if (exposition) pages.push(createExpositionPage(context));
  return { pages };
}

function createExpositionPage(context: ProfileContext): Page {
  const registry = new Registry(context);
  const refresh = declareProcess(registry, context);
  const families = declareFamilies(registry);
  const labels = { model_name: context.model, engine_type: 'undefined' };
  const { success, ...singleSeriesFamilies } = families;
  const series = {
    ...getSeries(singleSeriesFamilies, labels),
    success: getSeriesByLabel(success, labels, 'finished_reason', ['stop', 'length']),
  };
  for (const engine of context.engines) engine.observe(createObserver(context.engines, series));
  return createTextPage(
    { name: 'prometheus', path: '/prometheus/metrics', port: 'main' },
    registry,
    PYTHON_STYLE,
    refresh,
  );
}

function declareFamilies(registry: Registry) {
  const declareHistogram = (name: string, help: string, bounds: readonly number[]) => {
    return registry.histogram(`trtllm_${name}`, help, bounds);
  };
  const declareGauge = (name: string, help: string) => registry.gauge(`trtllm_${name}`, help);
  const declareCounter = (name: string, help: string) => registry.counter(`trtllm_${name}`, help);
  return {
    success: declareCounter('request_success', 'Completed requests by finish reason'),
    ...declareDurations(declareHistogram),
    firstToken: declareHistogram(
      'time_to_first_token_seconds',
      'Time from arrival to the first token in seconds',
      VLLM_FIRST_TOKEN_BOUNDS,
    ),
    perToken: declareHistogram(
      'time_per_output_token_seconds',
      'Mean time per output token after the first, one value per request, in seconds',
      VLLM_INTER_TOKEN_BOUNDS,
    ),
    promptTokens: declareCounter('prompt_tokens', 'Processed prompt tokens'),
    generationTokens: declareCounter('generation_tokens', 'Generated tokens'),
    running: declareGauge('num_requests_running', 'Requests in the running batch'),
    waiting: declareGauge('num_requests_waiting', 'Waiting requests'),
    utilization: declareGauge('kv_cache_utilization', 'Used share of the KV cache'),
    hitRate: declareGauge('kv_cache_hit_rate', 'Share of looked-up cache blocks that were cached'),
    reused: declareCounter('kv_cache_reused_blocks', 'Looked-up cache blocks that were cached'),
    missed: declareCounter('kv_cache_missed_blocks', 'Looked-up cache blocks that were not cached'),
  };
}

type Families = ReturnType<typeof declareFamilies>;
type Series = ReturnType<typeof getSeries<Omit<Families, 'success'>>> & {
  readonly success: ReturnType<
    typeof getSeriesByLabel<ReturnType<Families['success']['labels']>, 'stop' | 'length'>
  >;
};

/** Creates an observer that updates the series. Unlike in vLLM, each series covers all engines. */
function createObserver(engines: readonly Engine[], series: Series): EngineObserver {
  return {
    onScheduled(request) {
      const { blockSize } = engines[0]!.options;
      series.reused.inc(Math.floor(request.cachedTokens / blockSize));
      series.missed.inc(Math.ceil((request.spec.promptTokens - request.cachedTokens) / blockSize));
      series.hitRate.set(series.reused.value / (series.reused.value + series.missed.value));
    },
    onFinished(request) {
      if (request.finishReason !== 'abort') observeRequest(request, series);
    },
    onStep() {
      const sum = (read: (engine: Engine) => number): number =>
        engines.reduce((total, engine) => total + read(engine), 0);
      series.running.set(sum(engine => engine.running));
      series.waiting.set(sum(engine => engine.waiting));
      series.utilization.set(sum(engine => engine.kvUsage) / engines.length);
    },
  };
}

/** Records a request that has ended. Unlike in vLLM, its tokens are counted only at the end. */
function observeRequest(request: Request, series: Series): void {
  const { generated } = request;
  series.success[request.finishReason as 'stop' | 'length'].inc();
  series.promptTokens.inc(request.spec.promptTokens);
  series.generationTokens.inc(generated);
  const decodeNs = observeDurations(request, series, request.arrivalNs);
  if (generated > 0) series.firstToken.observe(toSeconds(request.firstTokenNs - request.arrivalNs));
  if (generated > 1) series.perToken.observe(toSeconds(decodeNs) / (generated - 1));
}
