import type { ServerDefinition } from '../serverDefinition.ts';

/**
 * The Prometheus metrics of `trtllm-serve` (`trtllm_`), and of the mock TensorRT-LLM engine of Dynamo (`trtllm:`), which
 * are named like the metrics of vLLM.
 */
export const tensorRtLlm: ServerDefinition = {
  name: 'TensorRT-LLM',
  exportName: 'TRT-LLM',
  metricPrefixes: ['trtllm_', 'trtllm:'],
  keyMetrics: [
    { name: 'trtllm_e2e_request_latency_seconds', stat: 'p99_estimate', meaning: 'end-to-end latency' },
    { name: 'trtllm_time_to_first_token_seconds', stat: 'p99_estimate', meaning: 'time to first token' },
    { name: 'trtllm_time_per_output_token_seconds', stat: 'p99_estimate', meaning: 'time per output token' },
    { name: 'trtllm_request_queue_time_seconds', stat: 'p99_estimate', meaning: 'queue time' },
    { name: 'trtllm_request_prefill_time_seconds', stat: 'p99_estimate', meaning: 'prefill time' },
    { name: 'trtllm_request_decode_time_seconds', stat: 'p99_estimate', meaning: 'decode time' },
    { name: 'trtllm_request_success', stat: 'rate', meaning: 'completed requests' },
    { name: 'trtllm_prompt_tokens', stat: 'rate', meaning: 'prefill throughput' },
    { name: 'trtllm_generation_tokens', stat: 'rate', meaning: 'decode throughput' },
    {
      name: 'trtllm_num_requests_running',
      stat: 'avg',
      meaning: 'active requests',
      headline: { label: 'running', operation: 'sum' },
    },
    {
      name: 'trtllm_num_requests_waiting',
      stat: 'max',
      meaning: 'queued requests',
      headline: { label: 'waiting', operation: 'sum' },
    },
    {
      name: 'trtllm_kv_cache_utilization',
      stat: 'max',
      meaning: 'KV cache usage',
      headline: { label: 'KV cache', operation: 'max' },
    },
    { name: 'trtllm_kv_cache_hit_rate', stat: 'avg', meaning: 'KV cache hit rate' },
    {
      name: 'trtllm:num_requests_running',
      stat: 'avg',
      meaning: 'active requests',
      headline: { label: 'running', operation: 'sum' },
    },
    {
      name: 'trtllm:num_requests_waiting',
      stat: 'max',
      meaning: 'queued requests',
      headline: { label: 'waiting', operation: 'sum' },
    },
    {
      name: 'trtllm:kv_cache_usage_perc',
      stat: 'max',
      meaning: 'KV cache usage',
      headline: { label: 'KV cache', operation: 'max' },
    },
    {
      name: 'trtllm:num_preemptions',
      stat: 'total',
      meaning: 'preemptions; above 0 means too little memory',
    },
    { name: 'trtllm:e2e_request_latency_seconds', stat: 'p99_estimate', meaning: 'end-to-end latency' },
    { name: 'trtllm:time_to_first_token_seconds', stat: 'p99_estimate', meaning: 'time to first token' },
    { name: 'trtllm:inter_token_latency_seconds', stat: 'p99_estimate', meaning: 'inter-token latency' },
  ],
  roles: {
    running: { metrics: ['trtllm_num_requests_running', 'trtllm:num_requests_running'], operation: 'sum' },
    waiting: { metrics: ['trtllm_num_requests_waiting', 'trtllm:num_requests_waiting'], operation: 'sum' },
    kvCacheUsage: {
      metrics: ['trtllm_kv_cache_utilization', 'trtllm:kv_cache_usage_perc'],
      operation: 'max',
    },
    preemptions: { metrics: ['trtllm:num_preemptions'], operation: 'total' },
    cacheHitRate: { metrics: ['trtllm_kv_cache_hit_rate'], operation: 'mean' },
    timeToFirstToken: {
      metrics: ['trtllm_time_to_first_token_seconds', 'trtllm:time_to_first_token_seconds'],
      operation: 'p99',
    },
    requestLatency: {
      metrics: ['trtllm_e2e_request_latency_seconds', 'trtllm:e2e_request_latency_seconds'],
      operation: 'p99',
    },
    interTokenLatency: {
      metrics: ['trtllm_time_per_output_token_seconds', 'trtllm:inter_token_latency_seconds'],
      operation: 'p99',
    },
    outputTokens: { metrics: ['trtllm_generation_tokens'], operation: 'total' },
    completedRequests: { metrics: ['trtllm_request_success'], operation: 'total' },
  },
  failures: [
    {
      metric: 'trtllm_request_success',
      causeLabel: 'finished_reason',
      cause: 'error',
      where: { label: 'finished_reason', values: ['error'] },
    },
    { metric: 'trtllm_request_error', cause: 'error' },
    { metric: 'trtllm_num_aborted_requests', cause: 'aborted', cancellations: ['aborted'] },
  ],
  reconciliation: {
    requests: [{ name: 'trtllm_request_success', of: 'total' }],
    unfinished: [
      {
        name: 'trtllm_request_success',
        of: 'total',
        where: { label: 'finished_reason', values: ['cancelled', 'abort', 'error'] },
      },
    ],
    promptTokens: [{ name: 'trtllm_prompt_tokens', of: 'total' }],
    generationTokens: [{ name: 'trtllm_generation_tokens', of: 'total' }],
    latency: [
      { name: 'trtllm_e2e_request_latency_seconds', unitMs: 1000 },
      { name: 'trtllm:e2e_request_latency_seconds', unitMs: 1000 },
    ],
    firstToken: [
      { name: 'trtllm_time_to_first_token_seconds', unitMs: 1000 },
      { name: 'trtllm:time_to_first_token_seconds', unitMs: 1000 },
    ],
    interToken: [
      { name: 'trtllm_time_per_output_token_seconds', unitMs: 1000 },
      { name: 'trtllm:inter_token_latency_seconds', unitMs: 1000, per: 'token' },
    ],
    queue: [{ name: 'trtllm_request_queue_time_seconds', unitMs: 1000 }],
    running: ['trtllm_num_requests_running', 'trtllm:num_requests_running'],
  },
  options: { maxRunning: '--max_batch_size', memory: '--kv_cache_free_gpu_memory_fraction' },
};
