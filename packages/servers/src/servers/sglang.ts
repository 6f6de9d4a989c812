import type { LabelFilter, ServerDefinition } from '../serverDefinition.ts';

/** With priority scheduling, the series without a priority contains the requests of all priorities. */
const ALL_PRIORITIES: LabelFilter = { label: 'priority', values: [''] };

/** The metrics of SGLang: https://docs.sglang.ai/references/production_metrics.html */
export const sglang: ServerDefinition = {
  name: 'SGLang',
  metricPrefixes: ['sglang:'],
  keyMetrics: [
    {
      name: 'sglang:num_running_reqs',
      stat: 'avg',
      meaning: 'active batch size',
      headline: { label: 'running', operation: 'sum' },
    },
    {
      name: 'sglang:num_queue_reqs',
      stat: 'max',
      meaning: 'queue depth; growth means saturation',
      headline: { label: 'queued', operation: 'sum' },
    },
    {
      name: 'sglang:token_usage',
      stat: 'max',
      meaning: 'KV cache usage; above 0.9 is nearly full',
      headline: { label: 'token usage', operation: 'max' },
    },
    { name: 'sglang:cache_hit_rate', stat: 'avg', meaning: 'prefix cache hit rate' },
    { name: 'sglang:gen_throughput', stat: 'avg', meaning: 'current decode throughput, tokens/s' },
    { name: 'sglang:time_to_first_token_seconds', stat: 'p99_estimate', meaning: 'time to first token' },
    { name: 'sglang:inter_token_latency_seconds', stat: 'p99_estimate', meaning: 'inter-token latency' },
    { name: 'sglang:e2e_request_latency_seconds', stat: 'p99_estimate', meaning: 'end-to-end latency' },
    { name: 'sglang:queue_time_seconds', stat: 'p99_estimate', meaning: 'queue time' },
    { name: 'sglang:prompt_tokens', stat: 'rate', meaning: 'prefill throughput' },
    { name: 'sglang:generation_tokens', stat: 'rate', meaning: 'decode throughput' },
  ],
  roles: {
    running: { metrics: ['sglang:num_running_reqs'], operation: 'sum', where: ALL_PRIORITIES },
    waiting: { metrics: ['sglang:num_queue_reqs'], operation: 'sum', where: ALL_PRIORITIES },
    kvCacheUsage: { metrics: ['sglang:token_usage'], operation: 'max' },
    cacheHitRate: { metrics: ['sglang:cache_hit_rate'], operation: 'mean' },
    timeToFirstToken: { metrics: ['sglang:time_to_first_token_seconds'], operation: 'p99' },
    requestLatency: { metrics: ['sglang:e2e_request_latency_seconds'], operation: 'p99' },
    interTokenLatency: { metrics: ['sglang:inter_token_latency_seconds'], operation: 'p99' },
    outputTokens: { metrics: ['sglang:generation_tokens'], operation: 'total' },
  },
  failures: [{ metric: 'sglang:num_aborted_requests', cause: 'aborted', cancellations: ['aborted'] }],
  reconciliation: {
    requests: [
      { name: 'sglang:num_requests', of: 'total' },
      { name: 'sglang:e2e_request_latency_seconds', of: 'count' },
    ],
    unfinished: [],
    promptTokens: [{ name: 'sglang:prompt_tokens', of: 'total' }],
    generationTokens: [{ name: 'sglang:generation_tokens', of: 'total' }],
    latency: [{ name: 'sglang:e2e_request_latency_seconds', unitMs: 1000 }],
    firstToken: [{ name: 'sglang:time_to_first_token_seconds', unitMs: 1000 }],
    interToken: [{ name: 'sglang:inter_token_latency_seconds', unitMs: 1000, per: 'token' }],
    queue: [{ name: 'sglang:queue_time_seconds', unitMs: 1000 }],
    running: ['sglang:num_running_reqs'],
  },
  promptTokenCache: {
    hits: { name: 'sglang:cached_tokens', of: 'total' },
    all: { name: 'sglang:prompt_tokens', of: 'total' },
  },
  options: { maxRunning: '--max-running-requests', memory: '--mem-fraction-static' },
};
