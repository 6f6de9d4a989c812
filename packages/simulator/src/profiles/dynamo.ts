import type { EngineObserver } from '../engine/observer.ts';
import { ExpositionWriter } from '../metrics/exposition.ts';
import { PYTHON_STYLE, RUST_STYLE } from '../metrics/expositionStyle.ts';
import { getSeries, Registry } from '../metrics/registry.ts';
import { RUST_DEFAULT_BOUNDS } from './bucketBounds.ts';
import { declareFrontend } from './dynamoFrontend.ts';
import { createTextPage, type Page, type Profile, type ProfileContext, toSeconds } from './profile.ts';
import { declareVllm } from './vllm.ts';

/**
 * Creates the profile of NVIDIA Dynamo (early 2026) with a vLLM worker: the frontend's page on the main port, and
 * the worker's page on a second port. The worker's page contains the metrics of the Rust runtime, followed by vLLM's.
 */
export function createDynamoProfile(context: ProfileContext): Profile {
  const frontend = new Registry(context);
  declareFrontend(frontend, context);
  const main = createTextPage({ name: 'frontend', path: '/metrics', port: 'main' }, frontend, RUST_STYLE);
  return { pages: [main, createComponentPage(context)] };
}

function createComponentPage(context: ProfileContext): Page {
  const runtime = new Registry(context);
  const refresh = declareComponent(runtime, context);
  const engine = new Registry(context);
  declareVllm(engine, context.engines, context.model);
  const runtimePage = createTextPage(
    { name: 'component', path: '/metrics', port: 'side' },
    runtime,
    RUST_STYLE,
    refresh,
  );
  const engineWriter = new ExpositionWriter(engine, PYTHON_STYLE);
  return {
    ...runtimePage,
    read(accept) {
      const { body, contentType } = runtimePage.read(accept);
      return { body: body + engineWriter.write(), contentType };
    },
  };
}

/** Bytes transferred between frontend and worker: a fixed number per request, plus a number per token. */
const REQUEST_BYTES = { fixed: 1000, token: 5 };
const RESPONSE_BYTES = { fixed: 400, token: 120 };

/**
 * Declares the families of a Dynamo worker's runtime. Returns a function that updates the gauges that are
 * computed on each read.
 */
function declareComponent(registry: Registry, context: ProfileContext): () => void {
  const worker = { dynamo_namespace: 'dynamo', dynamo_component: 'backend' };
  const families = declareHandler(registry);
  // A worker also exposes these endpoints, which receive no requests in the simulation.
  for (const dynamo_endpoint of ['clear_kv_blocks', 'list_loras']) {
    getSeries(families, { ...worker, dynamo_endpoint, model: context.model });
  }
  const series = getSeries(families, { ...worker, dynamo_endpoint: 'generate', model: context.model });
  const observer: EngineObserver = {
    onArrival(request) {
      series.inFlight.value += 1;
      series.requestBytes.inc(REQUEST_BYTES.fixed + REQUEST_BYTES.token * request.spec.promptTokens);
    },
    onFinished(request) {
      series.inFlight.value -= 1;
      series.requests.inc();
      series.responseBytes.inc(RESPONSE_BYTES.fixed + RESPONSE_BYTES.token * request.generated);
      series.duration.observe(toSeconds(request.finishNs - request.arrivalNs));
    },
  };
  for (const engine of context.engines) engine.observe(observer);
  return declareCache(registry, context, worker);
}

function declareHandler(registry: Registry) {
  const addPrefix = (suffix: string): string => `dynamo_component_${suffix}`;
  return {
    inFlight: registry.gauge(addPrefix('inflight_requests'), 'Requests in progress in the work handler'),
    requests: registry.counter(addPrefix('requests'), 'Requests processed by the work handler'),
    requestBytes: registry.counter(addPrefix('request_bytes'), 'Bytes received in requests'),
    responseBytes: registry.counter(addPrefix('response_bytes'), 'Bytes sent in responses'),
    duration: registry.histogram(
      addPrefix('request_duration_seconds'),
      'Request duration in seconds',
      RUST_DEFAULT_BOUNDS,
    ),
  };
}

function declareCache(
  registry: Registry,
  context: ProfileContext,
  worker: Record<string, string>,
): () => void {
  const declareGauge = (suffix: string, help: string) =>
    registry.gauge(`dynamo_component_${suffix}`, help).labels(worker);
  const usage = declareGauge('gpu_cache_usage_percent', 'GPU cache usage as a fraction (0.0-1.0)');
  const active = declareGauge('kvstats_active_blocks', 'Cache blocks in use');
  const legacyUsage = declareGauge(
    'kvstats_gpu_cache_usage_percent',
    'GPU cache usage as a fraction (0.0-1.0)',
  );
  const total = declareGauge('kvstats_total_blocks', 'Cache blocks');
  const uptime = registry
    .gauge('dynamo_component_uptime_seconds', 'Uptime of the runtime in seconds')
    .labels({});
  const { engines, nowNs } = context;
  const startNs = nowNs();
  total.set(engines.reduce((sum, engine) => sum + engine.pool.total, 0));
  return () => {
    active.set(engines.reduce((sum, engine) => sum + engine.pool.used, 0));
    usage.set(active.value / total.value);
    legacyUsage.set(usage.value);
    uptime.set(toSeconds(nowNs() - startNs));
  };
}
