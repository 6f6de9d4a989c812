import type { Engine } from '../engine/engine.ts';
import type { EngineObserver } from '../engine/observer.ts';
import type { Request } from '../engine/request.ts';
import { Registry } from '../metrics/registry.ts';
import { pythonStyle } from '../metrics/style.ts';
import { vllmFirstToken, vllmInterToken } from './buckets.ts';
import { eachFamily, eachValue } from './each.ts';
import { iterationPage } from './iterations.ts';
import { declareProcess } from './process.ts';
import { type Page, type Profile, type ProfileContext, seconds, textPage } from './profile.ts';
import { declareTimes, observeTimes } from './requesttimes.ts';

/**
 * TensorRT-LLM's trtllm-serve of early 2026: iteration statistics as JSON at /metrics, each read taking away what it
 * gives, and the exposition at /prometheus/metrics. Either can be switched off.
 */
export function trtllmProfile(context: ProfileContext): Profile {
  const { json, jsonContentType, exposition } = context.trtllm;
  const pages: Page[] = [];
  if (json) pages.push(iterationPage(context, jsonContentType));
  if (exposition) pages.push(expositionPage(context));
  return { pages };
}

function expositionPage(context: ProfileContext): Page {
  const registry = new Registry(context);
  const refresh = declareProcess(registry, context);
  const families = declare(registry);
  const labels = { model_name: context.model, engine_type: 'undefined' };
  const { success, ...plain } = families;
  const series = {
    ...eachFamily(plain, labels),
    success: eachValue(success, labels, 'finished_reason', ['stop', 'length']),
  };
  for (const engine of context.engines) engine.observe(observer(context.engines, series));
  return textPage(
    { name: 'prometheus', path: '/prometheus/metrics', port: 'main' },
    registry,
    pythonStyle,
    refresh,
  );
}

function declare(registry: Registry) {
  const histogram = (name: string, help: string, bounds: readonly number[]) => {
    return registry.histogram(`trtllm_${name}`, help, bounds);
  };
  const gauge = (name: string, help: string) => registry.gauge(`trtllm_${name}`, help);
  const counter = (name: string, help: string) => registry.counter(`trtllm_${name}`, help);
  return {
    success: counter('request_success', 'Requests served to their end, by reason'),
    ...declareTimes(histogram),
    firstToken: histogram(
      'time_to_first_token_seconds',
      'From arrival to the first token, in seconds',
      vllmFirstToken,
    ),
    perToken: histogram(
      'time_per_output_token_seconds',
      'Mean time by token after the first, one value a request, in seconds',
      vllmInterToken,
    ),
    promptTokens: counter('prompt_tokens', 'Prompt tokens processed'),
    generationTokens: counter('generation_tokens', 'Tokens generated'),
    running: gauge('num_requests_running', 'Requests in the running batch'),
    waiting: gauge('num_requests_waiting', 'Requests that wait'),
    utilization: gauge('kv_cache_utilization', 'Used part of the KV cache'),
    hitRate: gauge('kv_cache_hit_rate', 'Part of the looked-up cache blocks that were there'),
    reused: counter('kv_cache_reused_blocks', 'Cache blocks that were there when looked up'),
    missed: counter('kv_cache_missed_blocks', 'Cache blocks that were not there when looked up'),
  };
}

type Declared = ReturnType<typeof declare>;
type Series = ReturnType<typeof eachFamily<Omit<Declared, 'success'>>> & {
  readonly success: ReturnType<
    typeof eachValue<ReturnType<Declared['success']['labels']>, 'stop' | 'length'>
  >;
};

/** Unlike vLLM's, the series do not tell engines apart: they are of all engines together. */
function observer(engines: readonly Engine[], series: Series): EngineObserver {
  return {
    scheduled(request) {
      const { blockSize } = engines[0]!.options;
      series.reused.inc(Math.floor(request.cachedTokens / blockSize));
      series.missed.inc(Math.ceil((request.spec.promptTokens - request.cachedTokens) / blockSize));
      series.hitRate.set(series.reused.value / (series.reused.value + series.missed.value));
    },
    finished(request) {
      if (request.finishReason !== 'abort') observeRequest(request, series);
    },
    step() {
      const sum = (of: (engine: Engine) => number): number =>
        engines.reduce((total, one) => total + of(one), 0);
      series.running.set(sum(engine => engine.running));
      series.waiting.set(sum(engine => engine.waiting));
      series.utilization.set(sum(engine => engine.kvUsage) / engines.length);
    },
  };
}

/** All counting is done when a request has ended. */
function observeRequest(request: Request, series: Series): void {
  const { generated } = request;
  series.success[request.finishReason as 'stop' | 'length'].inc();
  series.promptTokens.inc(request.spec.promptTokens);
  series.generationTokens.inc(generated);
  const decodeNs = observeTimes(request, series, request.arrivalNs);
  if (generated > 0) series.firstToken.observe(seconds(request.firstTokenNs - request.arrivalNs));
  if (generated > 1) series.perToken.observe(seconds(decodeNs) / (generated - 1));
}
