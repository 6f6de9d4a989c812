import type { EngineObserver } from '../engine/observer.ts';
import type { Registry } from '../metrics/registry.ts';
import { rustDefault } from './buckets.ts';
import { eachFamily } from './each.ts';
import { type ProfileContext, seconds } from './profile.ts';

/** Bytes that a request and its answer take on the way between front end and worker: fixed, and by token. */
const requestBytes = { fixed: 1000, token: 5 };
const responseBytes = { fixed: 400, token: 120 };

/** The families of a Dynamo worker's runtime. Returns a function that brings the looked-up ones up to date. */
export function declareComponent(registry: Registry, context: ProfileContext): () => void {
  const worker = { dynamo_namespace: 'dynamo', dynamo_component: 'backend' };
  const families = declareHandler(registry);
  // A worker also answers these, of which nobody makes use here.
  for (const dynamo_endpoint of ['clear_kv_blocks', 'list_loras']) {
    eachFamily(families, { ...worker, dynamo_endpoint, model: context.model });
  }
  const series = eachFamily(families, { ...worker, dynamo_endpoint: 'generate', model: context.model });
  const observer: EngineObserver = {
    arrived(request) {
      series.inFlight.value += 1;
      series.requestBytes.inc(requestBytes.fixed + requestBytes.token * request.spec.promptTokens);
    },
    finished(request) {
      series.inFlight.value -= 1;
      series.requests.inc();
      series.responseBytes.inc(responseBytes.fixed + responseBytes.token * request.generated);
      series.duration.observe(seconds(request.finishNs - request.arrivalNs));
    },
  };
  for (const engine of context.engines) engine.observe(observer);
  return declareCache(registry, context, worker);
}

function declareHandler(registry: Registry) {
  const name = (rest: string): string => `dynamo_component_${rest}`;
  return {
    inFlight: registry.gauge(name('inflight_requests'), 'Requests that the work handler is at work on'),
    requests: registry.counter(name('requests'), 'Requests that the work handler has served'),
    requestBytes: registry.counter(name('request_bytes'), 'Bytes received in requests'),
    responseBytes: registry.counter(name('response_bytes'), 'Bytes sent in answers'),
    duration: registry.histogram(name('request_duration_seconds'), 'Requests, in seconds', rustDefault),
  };
}

function declareCache(
  registry: Registry,
  context: ProfileContext,
  worker: Record<string, string>,
): () => void {
  const gauge = (rest: string, help: string) =>
    registry.gauge(`dynamo_component_${rest}`, help).labels(worker);
  const usage = gauge('gpu_cache_usage_percent', 'Used part of the GPU cache (0.0-1.0)');
  const active = gauge('kvstats_active_blocks', 'Cache blocks in use');
  const usageOld = gauge('kvstats_gpu_cache_usage_percent', 'Used part of the GPU cache (0.0-1.0)');
  const total = gauge('kvstats_total_blocks', 'Cache blocks');
  const uptime = registry
    .gauge('dynamo_component_uptime_seconds', 'Age of the runtime in seconds')
    .labels({});
  const { engines, nowNs } = context;
  const startNs = nowNs();
  total.set(engines.reduce((sum, engine) => sum + engine.pool.total, 0));
  return () => {
    active.set(engines.reduce((sum, engine) => sum + engine.pool.used, 0));
    usage.set(active.value / total.value);
    usageOld.set(usage.value);
    uptime.set(seconds(nowNs() - startNs));
  };
}
