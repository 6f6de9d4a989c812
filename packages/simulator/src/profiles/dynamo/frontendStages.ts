import type { EngineObserver } from '../../engine/observer.ts';
import type { Request } from '../../engine/request.ts';
import { getSeries, type Registry } from '../../metrics/registry.ts';
import { type ProfileContext, toSeconds } from '../profile.ts';
import {
  ROUND_TRIP_BOUNDS,
  SHORT_STEP_BOUNDS,
  STAGE_BOUNDS,
  TEMPLATE_BOUNDS,
  TOKENIZER_BOUNDS,
} from './bounds.ts';

/** Share of the preprocessing time of a request that tokenization takes; the rest applies the chat template. */
const TOKENIZATION_SHARE = 0.85;
/** Time that a request spends in short steps, in seconds. */
const ROUTE_S = 1.8e-5;
const QUEUE_S = 4.5e-5;
const SEND_S = 9e-4;
/** Time to query the contents of a KV cache, in seconds. */
const CACHE_QUERY_S = 0.023;
/** Time to detokenize one token, in µs. */
const DETOKENIZE_US = 4.5;
/** Bytes sent to a worker: a fixed number per request, plus a number per token of its prompt. */
const REQUEST_BYTES = { fixed: 1000, token: 5 };

/**
 * Declares the families of the stages that a request passes in Dynamo's frontend: tokenization, routing, and the
 * request plane, which sends it to a worker. Returns a function that updates the gauges that are computed on each
 * read.
 */
export function declareStages(registry: Registry, context: ProfileContext): () => void {
  const stages = declareStageFamilies(registry);
  const tokenizer = declareTokenizer(registry, context.model.toLowerCase());
  const plane = getSeries(declareRequestPlane(registry), {});
  const bytesSent = declareTransport(registry);
  /** Requests without a first token. */
  const dispatched = new Set<Request>();
  let inFlight = 0;
  const observer: EngineObserver = {
    onArrival(request) {
      inFlight += 1;
      dispatched.add(request);
      const preprocessS = toSeconds(request.queuedNs - request.arrivalNs);
      stages.duration.labels({ stage: 'preprocess' }).observe(preprocessS);
      stages.duration.labels({ stage: 'route' }).observe(ROUTE_S);
      tokenizer.observePrompt(request.spec.promptTokens, preprocessS);
      plane.queue.observe(QUEUE_S);
      plane.send.observe(SEND_S);
      bytesSent.inc(REQUEST_BYTES.fixed + REQUEST_BYTES.token * request.spec.promptTokens);
    },
    onToken(request) {
      tokenizer.countToken();
      if (request.generated > 1) return;
      dispatched.delete(request);
      const roundTripS = toSeconds(request.firstTokenNs - request.queuedNs);
      stages.duration.labels({ stage: 'transport_roundtrip' }).observe(roundTripS);
      plane.roundTrip.observe(roundTripS);
    },
    onFinished(request) {
      inFlight -= 1;
      dispatched.delete(request);
      tokenizer.observeResponse(request.generated);
    },
  };
  for (const engine of context.engines) engine.observe(observer);
  // The KV router requests the contents of each rank's cache at the start.
  if (context.dynamoRouter === 'kv')
    for (const _ of context.engines)
      stages.duration.labels({ stage: 'transport_roundtrip' }).observe(CACHE_QUERY_S);
  return () => {
    plane.inFlight.set(inFlight);
    if (context.engines.every(({ submitted }) => submitted === 0)) return;
    const waiting = [...dispatched];
    const preprocessing = waiting.filter(({ queuedNs }) => queuedNs > context.nowNs()).length;
    stages.requests.labels({ stage: 'preprocess', phase: '' }).set(preprocessing);
    stages.requests.labels({ stage: 'route', phase: 'aggregated' }).set(0);
    stages.requests.labels({ stage: 'dispatch', phase: 'aggregated' }).set(waiting.length - preprocessing);
  };
}

function declareStageFamilies(registry: Registry) {
  return {
    duration: registry.histogram(
      'dynamo_frontend_stage_duration_seconds',
      'Duration of the stages of a request in seconds',
      STAGE_BOUNDS,
    ),
    requests: registry.gauge('dynamo_frontend_stage_requests', 'Requests by stage'),
  };
}

/** Declares the families of the tokenizer, and returns functions that record its work. */
function declareTokenizer(registry: Registry, model: string) {
  const prefix = 'dynamo_frontend_';
  const untotaled = { omitsTotal: true };
  const detokenizedTokens = registry
    .counter(`${prefix}detokenize_token_count`, 'Detokenized tokens', untotaled)
    .labels({});
  const detokenizedUs = registry
    .counter(`${prefix}detokenize_total_us`, 'Time spent on detokenization in µs', untotaled)
    .labels({});
  const template = registry
    .histogram(`${prefix}template_seconds`, 'Application of the chat template in seconds', TEMPLATE_BOUNDS)
    .labels({});
  const tokenize = registry
    .histogram(`${prefix}tokenize_seconds`, 'Tokenization in seconds', SHORT_STEP_BOUNDS)
    .labels({});
  const latency = registry.histogram(
    `${prefix}tokenizer_latency_ms`,
    'Tokenization and detokenization in ms',
    TOKENIZER_BOUNDS,
  );
  const cache = `${prefix}tokenizer_cache_`;
  const cachedTokens = registry
    .counter(`${cache}cached_tokens`, 'Tokens found in the tokenizer’s cache')
    .labels({ model });
  const uncachedTokens = registry
    .counter(`${cache}uncached_tokens`, 'Tokens not found in the tokenizer’s cache')
    .labels({ model });
  const hits = registry.counter(`${cache}hits`, 'Prompts with tokens in the tokenizer’s cache').labels({});
  const misses = registry
    .counter(`${cache}misses`, 'Prompts without tokens in the tokenizer’s cache')
    .labels({});
  return {
    observePrompt(tokens: number, preprocessS: number): void {
      tokenize.observe(TOKENIZATION_SHARE * preprocessS);
      template.observe((1 - TOKENIZATION_SHARE) * preprocessS);
      latency.labels({ operation: 'tokenize' }).observe(1000 * TOKENIZATION_SHARE * preprocessS);
      // All prompts share the first token of the chat template.
      const shared = misses.value === 0 ? 0 : 1;
      (shared ? hits : misses).inc();
      cachedTokens.inc(shared);
      uncachedTokens.inc(tokens - shared);
    },
    countToken(): void {
      detokenizedTokens.inc();
      detokenizedUs.inc(DETOKENIZE_US);
    },
    observeResponse(tokens: number): void {
      latency.labels({ operation: 'detokenize' }).observe((tokens * DETOKENIZE_US) / 1000);
    },
  };
}

function declareRequestPlane(registry: Registry) {
  const prefix = 'dynamo_request_plane_';
  return {
    inFlight: registry.gauge(`${prefix}inflight_requests`, 'Requests sent to workers that have not ended'),
    queue: registry.histogram(
      `${prefix}queue_seconds`,
      'Time until a request is sent in seconds',
      SHORT_STEP_BOUNDS,
    ),
    send: registry.histogram(`${prefix}send_seconds`, 'Time to send a request in seconds', SHORT_STEP_BOUNDS),
    roundTrip: registry.histogram(
      `${prefix}roundtrip_ttft_seconds`,
      'Time from sending a request to its first response in seconds',
      ROUND_TRIP_BOUNDS,
    ),
  };
}

/** Declares the counters of the network connections to workers, and returns the counter of sent bytes. */
function declareTransport(registry: Registry) {
  const declareCounter = (suffix: string, help: string) =>
    registry.counter(`dynamo_transport_tcp_${suffix}`, help).labels({});
  declareCounter('accept_backoff', 'Connections that were refused for lack of resources');
  // Responses arrive on another connection, so that this counter stays 0 in Dynamo 1.6.1.
  declareCounter('bytes_received', 'Bytes received by the client of the request plane');
  declareCounter('errors', 'Requests that could not be sent');
  return declareCounter('bytes_sent', 'Bytes sent by the client of the request plane');
}
