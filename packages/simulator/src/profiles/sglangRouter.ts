import type { EngineObserver } from '../engine/observer.ts';
import type { ApiEndpoint, Request } from '../engine/request.ts';
import { RUST_METRICS_STYLE } from '../metrics/expositionStyle.ts';
import { Registry } from '../metrics/registry.ts';
import { SGLANG_ROUTER_BOUNDS } from './bucketBounds.ts';
import { createTextPage, type Profile, type ProfileContext, toSeconds } from './profile.ts';

/** Path and value of the label `endpoint` of each API. */
const ENDPOINTS: Readonly<Record<ApiEndpoint, { readonly path: string; readonly endpoint: string }>> = {
  chat_completions: { path: '/v1/chat/completions', endpoint: 'chat' },
  completions: { path: '/v1/completions', endpoint: 'completions' },
  embeddings: { path: '/v1/embeddings', endpoint: 'embeddings' },
  responses: { path: '/v1/responses', endpoint: 'responses' },
  messages: { path: '/v1/messages', endpoint: 'messages' },
  generate: { path: '/generate', endpoint: 'generate' },
  rerank: { path: '/v1/rerank', endpoint: 'rerank' },
};

/** Limits of the ages of requests in progress, in seconds. */
const AGE_BOUNDS = [
  0,
  30,
  60,
  180,
  300,
  600,
  1200,
  3600,
  7200,
  14400,
  28800,
  86400,
  Number.POSITIVE_INFINITY,
];

/** Time between two health checks of a worker, in ns. */
const HEALTH_CHECK_NS = 60e9;

/**
 * Creates the profile of the SGLang router 0.3.2 before servers of OpenAI's API (`--backend openai`), one per engine. Its
 * page has no HELP lines, and is served on a second port.
 */
export function createSglangRouterProfile(context: ProfileContext): Profile {
  const registry = new Registry(context);
  const active = new Set<Request>();
  const observer = createObserver(registry, context, active);
  for (const engine of context.engines) engine.observe(observer);
  const refreshers = [declareWorkers(registry, context), declareActive(registry, context, active)];
  const location = { name: 'metrics', path: '/metrics', port: 'side' } as const;
  const refresh = (): void => {
    for (const refreshPart of refreshers) refreshPart();
  };
  return { pages: [createTextPage(location, registry, RUST_METRICS_STYLE, refresh)] };
}

function createObserver(registry: Registry, { model }: ProfileContext, active: Set<Request>): EngineObserver {
  const requests = registry.counter('smg_http_requests', '');
  const responses = registry.counter('smg_http_responses', '');
  const routed = registry.counter('smg_router_requests', '');
  const duration = registry.histogram('smg_http_request_duration_seconds', '', SGLANG_ROUTER_BOUNDS);
  const routedDuration = registry.histogram('smg_router_request_duration_seconds', '', SGLANG_ROUTER_BOUNDS);
  const route = { router_type: 'openai', backend_type: 'external', connection_mode: 'http', model };
  return {
    onArrival(request) {
      const { path, endpoint } = getEndpoint(request);
      active.add(request);
      requests.labels({ method: 'POST', path }).inc();
      routed.labels({ ...route, endpoint, streaming: String(request.spec.api?.stream ?? true) }).inc();
    },
    onFinished(request) {
      const { path, endpoint } = getEndpoint(request);
      const seconds = toSeconds(request.finishNs - request.arrivalNs);
      active.delete(request);
      responses.labels({ status_code: '200', error_code: '' }).inc();
      duration.labels({ method: 'POST', path }).observe(seconds);
      routedDuration.labels({ ...route, endpoint }).observe(seconds);
    },
  };
}

function getEndpoint({ spec }: Request): (typeof ENDPOINTS)[ApiEndpoint] {
  return ENDPOINTS[spec.api?.endpoint ?? 'chat_completions'];
}

/** Declares the metrics of the workers, which are always healthy. Returns a function that updates their values. */
function declareWorkers(registry: Registry, { engines, nowNs }: ProfileContext): () => void {
  const checks = registry.counter('smg_worker_health_checks', '');
  const health = registry.gauge('smg_worker_health', '');
  const breaker = registry.gauge('smg_worker_cb_state', '');
  const pool = registry.gauge('smg_worker_pool_size', '');
  for (const { options } of engines) {
    const worker = `http://127.0.0.1:${30000 + options.index}`;
    health.labels({ worker }).set(1);
    breaker.labels({ worker }).set(0);
  }
  pool.labels({ worker_type: 'regular', connection_mode: 'http', model: 'unknown' }).set(engines.length);
  const startNs = nowNs();
  return () => {
    const checked = engines.length * Math.floor((nowNs() - startNs) / HEALTH_CHECK_NS);
    if (checked > 0) checks.labels({ worker_type: 'regular', result: 'success' }).value = checked;
  };
}

/** Declares the metrics of requests in progress. Returns a function that updates their values. */
function declareActive(
  registry: Registry,
  { nowNs }: ProfileContext,
  active: ReadonlySet<Request>,
): () => void {
  const connections = registry.gauge('smg_http_connections_active', '').labels({});
  const ages = registry.gauge('smg_http_inflight_request_age_count', '');
  const ranges = AGE_BOUNDS.slice(1).map((to, index) => {
    const from = AGE_BOUNDS[index]!;
    const le = Number.isFinite(to) ? String(to) : '+Inf';
    return { from, to, series: ages.labels({ gt: String(from), le }) };
  });
  return () => {
    const seconds = Array.from(active, ({ arrivalNs }) => toSeconds(nowNs() - arrivalNs));
    connections.set(active.size);
    for (const { from, to, series } of ranges)
      series.set(seconds.filter(age => age > from && age <= to).length);
  };
}
