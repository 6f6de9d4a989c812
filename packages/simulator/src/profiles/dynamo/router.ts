import type { EngineObserver } from '../../engine/observer.ts';
import { getSeries, type Registry } from '../../metrics/registry.ts';
import { type ProfileContext, toSeconds } from '../profile.ts';
import {
  FIRST_TOKEN_BOUNDS,
  HASHING_BOUNDS,
  HIT_RATE_BOUNDS,
  INPUT_BOUNDS,
  LOST_BLOCK_BOUNDS,
  OUTPUT_BOUNDS,
  OVERHEAD_BOUNDS,
  ROUTER_INTER_TOKEN_BOUNDS,
  SHARED_BLOCK_BOUNDS,
  TRANSFER_BOUNDS,
} from './bounds.ts';
import { COMPONENT, type Identity } from './identity.ts';

/** Time that the KV router spends on a request, in ms. */
const OVERHEAD_MS = { blockHashing: 0.0056, seqHashing: 0.0025, findMatches: 0.0155, scheduling: 0.398 };

/**
 * Declares the families of Dynamo's router, which exist with both ways of routing. Hit rates and overhead are
 * observed only by the KV router.
 */
export function declareRouter(registry: Registry, context: ProfileContext, identity: Identity): void {
  const { model, dynamoRouter, engines } = context;
  const labels = { ...COMPONENT, worker_id: identity.frontend, router_id: identity.router };
  const series = getSeries(declareRequests(registry), labels);
  getSeries(declarePlacement(registry), { ...labels, worker_type: 'prefill' });
  getSeries(declareSharedCache(registry), labels);
  const input = registry.histogram(
    'dynamo_component_router_input_sequence_tokens',
    'Prompt length in tokens',
    INPUT_BOUNDS,
  );
  const hitRate = registry
    .histogram('dynamo_component_router_kv_hit_rate', 'Predicted share of cached blocks', HIT_RATE_BOUNDS)
    .labels(labels);
  const phase = dynamoRouter === 'kv' ? 'decode' : 'aggregated';
  const observer: EngineObserver = {
    onArrival({ spec }) {
      series.started.inc();
      input.labels({ ...labels, model: model.toLowerCase(), phase }).observe(spec.promptTokens);
    },
    onScheduled({ cachedTokens, spec }) {
      if (dynamoRouter === 'kv') hitRate.observe(cachedTokens / spec.promptTokens);
    },
    onToken(request, gapNs) {
      if (request.generated === 1) series.firstToken.observe(toSeconds(gapNs));
    },
    onFinished({ generated, firstTokenNs, lastTokenNs }) {
      series.requests.inc();
      series.output.observe(generated);
      if (generated > 1) series.interToken.observe(toSeconds(lastTokenNs - firstTokenNs) / (generated - 1));
    },
  };
  for (const engine of engines) engine.observe(observer);
}

/** Declares the router's own work per request, which is 0 unless it routes by the contents of KV caches. */
export function declareOverhead(registry: Registry, context: ProfileContext, { router }: Identity): void {
  const labels = { router_id: router };
  const declareHistogram = (suffix: string, help: string, bounds: readonly number[]) =>
    registry.histogram(`dynamo_router_overhead_${suffix}_ms`, help, bounds).labels(labels);
  const steps = [
    [declareHistogram('block_hashing', 'Hashing of blocks in ms', HASHING_BOUNDS), OVERHEAD_MS.blockHashing],
    [declareHistogram('seq_hashing', 'Hashing of sequences in ms', HASHING_BOUNDS), OVERHEAD_MS.seqHashing],
    [
      declareHistogram('indexer_find_matches', 'Search for cached blocks in ms', OVERHEAD_BOUNDS),
      OVERHEAD_MS.findMatches,
    ],
    [declareHistogram('scheduling', 'Choice of a worker in ms', OVERHEAD_BOUNDS), OVERHEAD_MS.scheduling],
  ] as const;
  const total = declareHistogram('total', 'All work of the router in ms', OVERHEAD_BOUNDS);
  declareHistogram('shared_cache_query', 'Search in the shared cache in ms', OVERHEAD_BOUNDS);
  registry.counter('dynamo_router_shared_cache_errors', 'Failures of the shared cache').labels(labels);
  if (context.dynamoRouter !== 'kv') return;
  const totalMs = steps.reduce((sum, [, ms]) => sum + ms, 0);
  const onArrival = (): void => {
    for (const [histogram, ms] of steps) histogram.observe(ms);
    total.observe(totalMs);
  };
  for (const engine of context.engines) engine.observe({ onArrival });
}

const PREFIX = 'dynamo_component_router_';

function declareRequests(registry: Registry) {
  const declareHistogram = (suffix: string, help: string, bounds: readonly number[]) =>
    registry.histogram(PREFIX + suffix, help, bounds);
  return {
    started: registry.counter(`${PREFIX}requests_started`, 'Requests that the router accepted'),
    requests: registry.counter(`${PREFIX}requests`, 'Requests that have ended'),
    output: declareHistogram('output_sequence_tokens', 'Response length in tokens', OUTPUT_BOUNDS),
    interToken: declareHistogram(
      'inter_token_latency_seconds',
      'Mean inter-token latency of a request in seconds',
      ROUTER_INTER_TOKEN_BOUNDS,
    ),
    firstToken: declareHistogram(
      'time_to_first_token_seconds',
      'Time to first token in seconds',
      FIRST_TOKEN_BOUNDS,
    ),
    transfer: declareHistogram(
      'kv_transfer_estimated_latency_seconds',
      'Estimated transfer of a KV cache between workers in seconds',
      TRANSFER_BOUNDS,
    ),
  };
}

function declarePlacement(registry: Registry) {
  return {
    lost: registry.histogram(
      `${PREFIX}overlap_blocks_lost`,
      'Cached blocks of the best worker that the chosen worker lacks',
      LOST_BLOCK_BOUNDS,
    ),
    selections: registry.counter(
      `${PREFIX}non_max_overlap_selections`,
      'Requests whose worker had fewer cached blocks than another one',
    ),
  };
}

function declareSharedCache(registry: Registry) {
  return {
    blocks: registry.histogram(
      `${PREFIX}shared_cache_beyond_blocks`,
      'Blocks of the shared cache that the chosen worker lacks',
      SHARED_BLOCK_BOUNDS,
    ),
    hitRate: registry.histogram(
      `${PREFIX}shared_cache_hit_rate`,
      'Share of blocks found in the shared cache',
      HIT_RATE_BOUNDS,
    ),
  };
}
