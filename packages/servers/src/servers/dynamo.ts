import type { ServerDefinition } from '../serverDefinition.ts';

/** NVIDIA Dynamo. Its frontend exposes these metrics; the engines expose their own metrics on other endpoints. */
export const dynamo: ServerDefinition = {
  name: 'Dynamo',
  metricPrefixes: ['dynamo_'],
  isFrontend: true,
  component: { metric: 'dynamo_component_requests', label: 'dynamo_component' },
  workerRegistration: {
    metric: 'dynamo_component_router_worker_registered',
    workers: ['router_worker_id', 'worker_id'],
    type: 'worker_type',
  },
  keyMetrics: [
    { name: 'dynamo_frontend_active_requests', stat: 'avg', meaning: 'requests in HTTP handlers' },
    {
      name: 'dynamo_frontend_inflight_requests',
      stat: 'avg',
      meaning: 'requests in engines',
      headline: { label: 'in flight', operation: 'sum' },
    },
    {
      name: 'dynamo_frontend_queued_requests',
      stat: 'avg',
      meaning: 'requests without a first token, including requests in prefill',
    },
    {
      name: 'dynamo_frontend_router_queue_pending_requests',
      stat: 'max',
      meaning: 'requests that wait in the router for a worker',
      headline: { label: 'waiting', operation: 'sum' },
    },
    {
      name: 'dynamo_request_queue',
      stat: 'max',
      meaning: 'requests that wait in a worker for its engine',
      headline: { label: 'waiting', operation: 'sum' },
    },
    {
      name: 'dynamo_frontend_request_duration_seconds',
      stat: 'p99_estimate',
      meaning: 'end-to-end latency',
    },
    {
      name: 'dynamo_frontend_time_to_first_token_seconds',
      stat: 'p99_estimate',
      meaning: 'time to first token',
    },
    {
      name: 'dynamo_frontend_inter_token_latency_seconds',
      stat: 'p99_estimate',
      meaning: 'inter-token latency',
    },
    { name: 'dynamo_frontend_requests', stat: 'rate', meaning: 'completed requests' },
    { name: 'dynamo_frontend_output_tokens', stat: 'rate', meaning: 'decode throughput' },
    {
      name: 'dynamo_component_kvstats_gpu_cache_usage_percent',
      stat: 'max',
      meaning: 'KV cache usage',
      headline: { label: 'KV cache', operation: 'max' },
    },
    { name: 'dynamo_component_gpu_cache_usage_percent', stat: 'max', meaning: 'KV cache usage' },
  ],
  roles: {
    running: { metrics: ['dynamo_frontend_inflight_requests'], operation: 'sum' },
    // Prefill workers report no metrics of their engine.
    workerRequests: {
      metrics: ['dynamo_component_inflight_requests'],
      operation: 'sum',
      where: { label: 'dynamo_endpoint', values: ['generate'] },
    },
    maxRunning: { metrics: ['dynamo_frontend_model_max_num_seqs'], operation: 'max' },
    // `dynamo_frontend_queued_requests` is not a queue: it counts all requests without a first token, so that it
    // includes the requests in prefill.
    waiting: {
      metrics: ['dynamo_frontend_router_queue_pending_requests', 'dynamo_request_queue'],
      operation: 'sum',
    },
    kvCacheUsage: {
      metrics: [
        'dynamo_component_kvstats_gpu_cache_usage_percent',
        'dynamo_component_gpu_cache_usage_percent',
      ],
      operation: 'max',
    },
    timeToFirstToken: { metrics: ['dynamo_frontend_time_to_first_token_seconds'], operation: 'p99' },
    requestLatency: { metrics: ['dynamo_frontend_request_duration_seconds'], operation: 'p99' },
    interTokenLatency: { metrics: ['dynamo_frontend_inter_token_latency_seconds'], operation: 'p99' },
    outputTokens: { metrics: ['dynamo_frontend_output_tokens'], operation: 'total' },
    completedRequests: { metrics: ['dynamo_frontend_requests'], operation: 'total' },
    cacheHits: { metrics: ['dynamo_frontend_cached_tokens'], operation: 'observed' },
    cacheQueries: { metrics: ['dynamo_frontend_input_sequence_tokens'], operation: 'observed' },
  },
  failures: [
    {
      metric: 'dynamo_frontend_requests',
      causeLabel: 'error_type',
      cause: 'error',
      where: { label: 'status', values: ['error'] },
      cancellations: ['cancelled'],
    },
    {
      metric: 'dynamo_component_errors',
      causeLabel: 'error_type',
      cause: 'error',
      // A worker cannot send its response after the client has closed the connection.
      cancellations: ['publish_response'],
    },
    { metric: 'dynamo_rejection_request', cause: 'worker at capacity' },
  ],
  reconciliation: {
    requests: [{ name: 'dynamo_frontend_requests', of: 'total' }],
    unfinished: [
      { name: 'dynamo_frontend_requests', of: 'total', where: { label: 'status', values: ['error'] } },
    ],
    promptTokens: [{ name: 'dynamo_frontend_input_sequence_tokens', of: 'sum' }],
    generationTokens: [
      { name: 'dynamo_frontend_output_tokens', of: 'total' },
      { name: 'dynamo_frontend_output_sequence_tokens', of: 'sum' },
    ],
    latency: [{ name: 'dynamo_frontend_request_duration_seconds', unitMs: 1000 }],
    firstToken: [{ name: 'dynamo_frontend_time_to_first_token_seconds', unitMs: 1000 }],
    interToken: [{ name: 'dynamo_frontend_inter_token_latency_seconds', unitMs: 1000, per: 'token' }],
    queue: [],
    running: ['dynamo_frontend_inflight_requests', 'dynamo_frontend_active_requests'],
  },
  promptTokenCache: {
    hits: { name: 'dynamo_frontend_cached_tokens', of: 'sum' },
    all: { name: 'dynamo_frontend_input_sequence_tokens', of: 'sum' },
  },
};
