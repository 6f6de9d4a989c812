import type { ServerDefinition } from '../serverDefinition.ts';

/** NVIDIA Dynamo. Its frontend exposes these metrics; the engines expose their own metrics on other endpoints. */
export const dynamo: ServerDefinition = {
  name: 'Dynamo',
  metricPrefixes: ['dynamo_'],
  isFrontend: true,
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
      meaning: 'requests waiting for their first token',
      headline: { label: 'queued', operation: 'sum' },
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
      name: 'dynamo_component_gpu_cache_usage_percent',
      stat: 'max',
      meaning: 'KV cache usage',
      headline: { label: 'KV cache', operation: 'max' },
    },
  ],
  roles: {
    running: { metric: 'dynamo_frontend_inflight_requests', operation: 'sum' },
    waiting: { metric: 'dynamo_frontend_queued_requests', operation: 'sum' },
    kvCacheUsage: { metric: 'dynamo_component_gpu_cache_usage_percent', operation: 'max' },
    timeToFirstToken: { metric: 'dynamo_frontend_time_to_first_token_seconds', operation: 'p99' },
    requestLatency: { metric: 'dynamo_frontend_request_duration_seconds', operation: 'p99' },
    interTokenLatency: { metric: 'dynamo_frontend_inter_token_latency_seconds', operation: 'p99' },
    outputTokens: { metric: 'dynamo_frontend_output_tokens', operation: 'total' },
    completedRequests: { metric: 'dynamo_frontend_requests', operation: 'total' },
    failedRequests: { metric: 'dynamo_component_errors', operation: 'total' },
  },
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
};
