import type { EngineObserver } from '../../engine/observer.ts';
import { getSeries, type Registry } from '../../metrics/registry.ts';
import { type ProfileContext, toSeconds } from '../profile.ts';
import { FIRST_RESPONSE_BOUNDS, PERMIT_BOUNDS, SHORT_STEP_BOUNDS, WORKER_REQUEST_BOUNDS } from './bounds.ts';
import { COMPONENT, type Identity } from './identity.ts';

/** Bytes transferred between frontend and worker: a fixed number per request, plus a number per token. */
const REQUEST_BYTES = { fixed: 1000, token: 5 };
const RESPONSE_BYTES = { fixed: 400, token: 120 };
/** Time on the network between frontend and worker, in seconds. */
const TRANSIT_S = 3.2e-4;

/**
 * Declares the families of the runtime of a worker. Returns a function that updates the gauges that are computed on
 * each read.
 */
export function declareWorker(registry: Registry, context: ProfileContext, identity: Identity): () => void {
  const worker = { ...COMPONENT, worker_id: identity.worker };
  const families = declareEndpoint(registry);
  // The KV router asks this endpoint for the contents of the cache.
  getSeries(families, { ...worker, dynamo_endpoint: `worker_kv_query_${identity.worker}` });
  const series = getSeries(families, { ...worker, dynamo_endpoint: 'generate' });
  const handler = declareHandler(registry);
  const observer: EngineObserver = {
    onArrival(request) {
      series.inFlight.value += 1;
      series.requestBytes.inc(REQUEST_BYTES.fixed + REQUEST_BYTES.token * request.spec.promptTokens);
      handler.transit.observe(TRANSIT_S);
    },
    onToken(request) {
      if (request.generated === 1)
        handler.firstResponse.observe(toSeconds(request.firstTokenNs - request.queuedNs));
    },
    onFinished(request) {
      series.inFlight.value -= 1;
      series.requests.inc();
      series.responseBytes.inc(RESPONSE_BYTES.fixed + RESPONSE_BYTES.token * request.generated);
      series.duration.observe(toSeconds(request.finishNs - request.arrivalNs));
      if (request.finishReason === 'abort') series.cancellations.inc();
    },
  };
  for (const engine of context.engines) engine.observe(observer);
  const publisher = 'dynamo_component_kv_publisher_engines_dropped_events';
  registry.counter(publisher, 'Events of KV caches that were lost').labels(worker);
  return () => handler.activeTasks.set(series.inFlight.value);
}

/** Declares the uptime of a process, and returns a function that updates it. */
export function declareUptime(registry: Registry, { nowNs }: ProfileContext, worker_id: string): () => void {
  const uptime = registry
    .gauge('dynamo_component_uptime_seconds', 'Uptime of the runtime in seconds')
    .labels({ worker_id });
  const startNs = nowNs();
  return () => uptime.set(toSeconds(nowNs() - startNs));
}

function declareEndpoint(registry: Registry) {
  const addPrefix = (suffix: string): string => `dynamo_component_${suffix}`;
  return {
    inFlight: registry.gauge(addPrefix('inflight_requests'), 'Requests in progress in the worker'),
    requests: registry.counter(addPrefix('requests'), 'Requests that have ended'),
    cancellations: registry.counter(addPrefix('cancellation'), 'Requests that were cancelled'),
    requestBytes: registry.counter(addPrefix('request_bytes'), 'Bytes received in requests'),
    responseBytes: registry.counter(addPrefix('response_bytes'), 'Bytes sent in responses'),
    duration: registry.histogram(
      addPrefix('request_duration_seconds'),
      'Request duration in seconds',
      WORKER_REQUEST_BOUNDS,
    ),
  };
}

/** Declares the pool of tasks that handles requests. It is large, so that no request waits for it. */
function declareHandler(registry: Registry) {
  const prefix = 'dynamo_work_handler_';
  const constants = [
    [`${prefix}pool_capacity`, 'Requests that can be handled at once', 10000],
    [`${prefix}queue_capacity`, 'Requests that can wait', 40000],
    [`${prefix}queue_depth`, 'Requests that wait', 0],
    ['dynamo_request_queue', 'Requests that wait for the engine', 0],
    ['dynamo_engine_request', 'Requests sent directly to the engine', 0],
  ] as const;
  for (const [name, help, value] of constants) registry.gauge(name, help).labels({}).set(value);
  registry.counter('dynamo_rejection_request', 'Requests rejected because the worker was full').labels({});
  registry.counter(`${prefix}enqueue_rejected`, 'Requests rejected because the queue was full').labels({});
  const declareHistogram = (suffix: string, help: string, bounds: readonly number[]) =>
    registry.histogram(prefix + suffix, help, bounds).labels({});
  declareHistogram('permit_wait_seconds', 'Wait for a free task in seconds', PERMIT_BOUNDS);
  return {
    activeTasks: registry.gauge(`${prefix}pool_active_tasks`, 'Requests that are being handled').labels({}),
    transit: declareHistogram('network_transit_seconds', 'Time on the network in seconds', SHORT_STEP_BOUNDS),
    firstResponse: declareHistogram(
      'time_to_first_response_seconds',
      'Time until the first response in seconds',
      FIRST_RESPONSE_BOUNDS,
    ),
  };
}
