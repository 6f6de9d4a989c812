import type { EngineObserver } from '../../engine/observer.ts';
import type { Request } from '../../engine/request.ts';
import { getSeries, getSeriesByLabel, type Registry } from '../../metrics/registry.ts';
import type { ProfileContext } from '../profile.ts';
import { MESSAGE_BOUNDS, MUTATION_WAIT_BOUNDS } from './bounds.ts';
import { COMPONENT, getRankLabels, type Identity } from './identity.ts';

/** Declares the queue of the KV router. Workers accept every request at once, so that nothing waits in it. */
export function declareQueue(registry: Registry, { model, engines }: ProfileContext): void {
  const labels = { model: model.toLowerCase(), policy_class: 'default', worker_type: 'decode' };
  const prefix = 'dynamo_frontend_router_';
  const received = registry
    .counter(`${prefix}admission_received`, 'Requests that asked for a worker')
    .labels(labels);
  const rejected = registry.counter(`${prefix}admission_rejected`, 'Requests that the router rejected');
  getSeriesByLabel(rejected, labels, 'reason', ['due_time_passed', 'predicted_miss']);
  const backpressure = registry.counter(
    `${prefix}queue_backpressure`,
    'Requests rejected because the queue was full',
  );
  getSeriesByLabel(backpressure, labels, 'reason', [
    'cached_token_limit',
    'raw_isl_token_limit',
    'request_limit',
  ]);
  for (const [suffix, help] of [
    ['requests', 'Requests that wait in the router'],
    ['isl_tokens', 'Prompt tokens of requests that wait in the router'],
    ['cached_tokens', 'Cached prompt tokens of requests that wait in the router'],
  ] as const)
    registry.gauge(`${prefix}queue_pending_${suffix}`, help).labels(labels);
  for (const engine of engines) engine.observe({ onArrival: () => received.inc() });
}

/**
 * Declares the load of each rank as the KV router sees it. The series are created with the first request. Returns a
 * function that updates them.
 */
export function declareWorkerLoad(
  registry: Registry,
  { engines }: ProfileContext,
  identity: Identity,
): () => void {
  const families = {
    decodeBlocks: registry.gauge(
      'dynamo_frontend_worker_active_decode_blocks',
      'Cache blocks in use by a rank',
    ),
    prefillTokens: registry.gauge(
      'dynamo_frontend_worker_active_prefill_tokens',
      'Prompt tokens of a rank’s requests without a first token',
    ),
  };
  const inPrefill = new Set<Request>();
  const leave = (request: Request): void => {
    inPrefill.delete(request);
  };
  const observer: EngineObserver = {
    onArrival: request => inPrefill.add(request),
    onToken: leave,
    onFinished: leave,
  };
  for (const engine of engines) engine.observe(observer);
  return () => {
    if (engines.every(({ submitted }) => submitted === 0)) return;
    for (const { options, pool } of engines) {
      const series = getSeries(families, getRankLabels(identity, options.index, 'kv'));
      series.decodeBlocks.set(pool.used);
      const own = [...inPrefill].filter(({ engine }) => engine === options.index);
      series.prefillTokens.set(own.reduce((sum, { spec }) => sum + spec.promptTokens, 0));
    }
  };
}

/** Declares the index of the KV router: which worker has cached which blocks, and how many tokens that saved. */
export function declareIndex(registry: Registry, context: ProfileContext, identity: Identity): void {
  const process = { ...COMPONENT, worker_id: identity.frontend };
  const untotaled = { omitsTotal: true };
  const events = registry.counter(
    'dynamo_component_kv_cache_events_applied',
    'Events of KV caches, by kind and result',
    untotaled,
  );
  const stored = EVENT_TYPES.map(
    event_type => getSeriesByLabel(events, { ...process, event_type }, 'status', EVENT_RESULTS).ok,
  )[EVENT_TYPES.indexOf('stored')]!;
  const warnings = registry.counter(
    'dynamo_component_kv_cache_event_warnings',
    'Events of KV caches that the index did not expect',
    untotaled,
  );
  warnings.labels({ ...process, warning_kind: 'duplicate_store' });
  const mutations = registry.counter(
    'dynamo_component_ckf_mutation',
    'Changes that the filter of blocks refused',
  );
  getSeriesByLabel(mutations, process, 'outcome', ['capacity_exhausted', 'unknown_remove']);
  const tokens = declareReusedTokens(registry);
  const labels = {
    ...process,
    router_id: identity.router,
    model: context.model.toLowerCase(),
    phase: 'decode',
  };
  const observer: EngineObserver = {
    onScheduled({ cachedTokens, spec, engine }) {
      for (const counter of Object.values(getSeries(tokens, labels))) counter.inc(cachedTokens);
      const { blockSize } = context.engines[engine]!.options;
      stored.inc(Math.floor((spec.promptTokens - cachedTokens) / blockSize));
    },
  };
  for (const engine of context.engines) engine.observe(observer);
}

const EVENT_TYPES = ['cleared', 'removed', 'stored'] as const;
const EVENT_RESULTS = [
  'allocation_failed',
  'block_not_found',
  'capacity_exhausted',
  'indexer_invariant_violation',
  'invalid_block',
  'ok',
  'ownership_degree_overflow',
  'parent_block_not_found',
  'unsupported_residency_domain',
] as const;

function declareReusedTokens(registry: Registry) {
  const declareCounter = (suffix: string, help: string) =>
    registry.counter(`dynamo_component_router_kv_${suffix}_tokens`, help);
  return {
    best: declareCounter('best_eligible_cached_prefix', 'Cached prompt tokens of the best worker'),
    selected: declareCounter('selected_cached_prefix', 'Cached prompt tokens of the chosen worker'),
    reused: declareCounter('worker_reused', 'Prompt tokens that the worker did not have to compute'),
  };
}

/** Declares the connections over which the KV router learns of workers, of their requests and of their caches. */
export function declareIngress(
  registry: Registry,
  { model, engines }: ProfileContext,
  identity: Identity,
): void {
  const process = { ...COMPONENT, worker_id: identity.frontend };
  const target = { ...process, model: model.toLowerCase(), worker_type: 'decode' };
  const registered = registry.gauge(`${PREFIX}worker_registered`, '1 while a rank is registered');
  for (const { options } of engines) {
    const { dp_rank, worker_id: router_worker_id } = getRankLabels(identity, options.index, 'kv') as Record<
      'dp_rank' | 'worker_id',
      string
    >;
    registered.labels({ ...process, dp_rank, router_worker_id, worker_type: 'decode' }).set(1);
  }
  registry
    .gauge(`${PREFIX}kv_event_source_mismatch_workers`, 'Workers whose events arrive by an unexpected way')
    .labels({
      ...target,
      target_component: 'backend',
      target_endpoint: 'generate',
      target_namespace: 'dynamo',
    });
  declareCacheEvents(registry, process, engines.length);
  declareRequestEvents(registry, { ...target, routing_group: 'default' }, process, engines);
}

const PREFIX = 'dynamo_component_router_';

function declareCacheEvents(
  registry: Registry,
  process: Readonly<Record<string, string>>,
  sources: number,
): void {
  const batches = registry.counter(`${PREFIX}kv_zmq_ingress_batches`, 'Batches of events of KV caches');
  batches.labels(process).inc(sources);
  const lifecycle = registry.counter(
    `${PREFIX}kv_zmq_ingress_lifecycle`,
    'Changes of connections to KV caches',
  );
  for (const series of Object.values(
    getSeriesByLabel(lifecycle, process, 'action', ['activated', 'preconnected', 'started']),
  ))
    series.inc(sources);
  const connections = registry.gauge(`${PREFIX}kv_zmq_ingress_sources`, 'Connections to KV caches by state');
  getSeriesByLabel(connections, process, 'state', ['active', 'preconnected']).active.set(sources);
}

function declareRequestEvents(
  registry: Registry,
  target: Readonly<Record<string, string>>,
  process: Readonly<Record<string, string>>,
  engines: ProfileContext['engines'],
): void {
  const prefix = `${PREFIX}active_sequence_`;
  const batches = registry
    .counter(`${prefix}ingress_drain_batches`, 'Batches of events of requests')
    .labels(target);
  const events = registry.counter(`${prefix}ingress_events_applied`, 'Events of requests').labels(target);
  registry.gauge(`${prefix}ingress_queue_depth`, 'Events of requests that wait').labels(target);
  registry
    .gauge(`${prefix}zmq_ingress_sources`, 'Sources of events of requests')
    .labels(process)
    .set(engines.length);
  for (const [suffix, help] of INGRESS_FAILURES)
    registry.counter(`${prefix}zmq_ingress_${suffix}`, help).labels(process);
  const onArrival = (): void => {
    batches.inc();
    events.inc();
  };
  for (const engine of engines) engine.observe({ onArrival });
}

const INGRESS_FAILURES = [
  ['dropped_events', 'Events of requests that were lost'],
  ['envelope_decode_errors', 'Messages that could not be opened'],
  ['forced_aborts', 'Connections that were closed by force'],
  ['identity_errors', 'Messages of an unknown sender'],
  ['out_of_order', 'Messages out of order'],
  ['payload_decode_errors', 'Messages with invalid contents'],
  ['reconnects', 'Connections that were opened again'],
  ['replacements', 'Connections that were replaced'],
  ['sequence_gaps', 'Gaps in the numbers of messages'],
] as const;

/** Declares the approximate index, which replaces the events of KV caches if workers send none; here, it is unused. */
export function declareApproximateIndex(registry: Registry, identity: Identity): void {
  const process = { ...COMPONENT, worker_id: identity.frontend };
  const prefix = `${PREFIX}approximate_`;
  for (const [kind, help] of [
    ['configured', 'Policy of the approximate index in the settings'],
    ['effective', 'Policy of the approximate index in use'],
  ] as const) {
    const family = registry.gauge(`${prefix}cache_${kind}_policy`, help);
    getSeriesByLabel(family, process, 'policy', ['disabled', 'lru', 'ttl']).ttl.set(1);
  }
  for (const [suffix, help] of [
    ['evicted_blocks', 'Blocks that were removed'],
    ['eviction_batches', 'Batches of removed blocks'],
    ['fallback_activations', 'Times when the index was used'],
    ['output_batches', 'Batches of added blocks'],
  ] as const)
    registry.counter(`${prefix}lru_${suffix}`, help).labels(process);
  for (const [suffix, help] of [
    ['leases', 'Blocks in the index'],
    ['mutation_queue_depth', 'Changes that wait'],
  ] as const)
    registry.gauge(`${prefix}lru_${suffix}`, help).labels(process);
  registry
    .histogram(`${prefix}lru_messages_per_request`, 'Messages per request', MESSAGE_BOUNDS)
    .labels(process);
  registry
    .histogram(`${prefix}lru_mutation_wait_seconds`, 'Wait of a change in seconds', MUTATION_WAIT_BOUNDS)
    .labels(process);
}
