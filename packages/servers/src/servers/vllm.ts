import type { ServerDefinition } from '../serverDefinition.ts';

/** The metrics of vLLM: https://docs.vllm.ai/en/latest/usage/metrics.html */
export const vllm: ServerDefinition = {
  name: 'vLLM',
  metricPrefixes: ['vllm:'],
  keyMetrics: [
    {
      name: 'vllm:num_requests_running',
      stat: 'avg',
      meaning: 'active batch size',
      headline: { label: 'running', operation: 'sum' },
    },
    {
      name: 'vllm:num_requests_waiting',
      stat: 'max',
      meaning: 'queue depth; growth means saturation',
      headline: { label: 'waiting', operation: 'sum' },
    },
    { name: 'vllm:num_requests_waiting_by_reason', stat: 'max', meaning: 'queue depth by reason' },
    {
      name: 'vllm:kv_cache_usage_perc',
      stat: 'max',
      meaning: 'KV cache usage; above 0.9 is nearly full',
      headline: { label: 'KV cache', operation: 'max' },
    },
    { name: 'vllm:num_preemptions', stat: 'total', meaning: 'preemptions; above 0 means too little memory' },
    { name: 'vllm:e2e_request_latency_seconds', stat: 'p99_estimate', meaning: 'end-to-end latency' },
    { name: 'vllm:time_to_first_token_seconds', stat: 'p99_estimate', meaning: 'time to first token' },
    { name: 'vllm:inter_token_latency_seconds', stat: 'p99_estimate', meaning: 'inter-token latency' },
    { name: 'vllm:prompt_tokens_by_source', stat: 'rate', meaning: 'prompt tokens by source' },
    { name: 'vllm:generation_tokens', stat: 'rate', meaning: 'decode throughput' },
  ],
  roles: {
    running: { metrics: ['vllm:num_requests_running'], operation: 'sum' },
    waiting: { metrics: ['vllm:num_requests_waiting'], operation: 'sum' },
    // Older versions use the second name.
    kvCacheUsage: { metrics: ['vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc'], operation: 'max' },
    preemptions: { metrics: ['vllm:num_preemptions'], operation: 'total' },
    cacheHits: { metrics: ['vllm:prefix_cache_hits'], operation: 'total' },
    cacheQueries: { metrics: ['vllm:prefix_cache_queries'], operation: 'total' },
    timeToFirstToken: { metrics: ['vllm:time_to_first_token_seconds'], operation: 'p99' },
    requestLatency: { metrics: ['vllm:e2e_request_latency_seconds'], operation: 'p99' },
    interTokenLatency: { metrics: ['vllm:inter_token_latency_seconds'], operation: 'p99' },
    outputTokens: { metrics: ['vllm:generation_tokens'], operation: 'total' },
    completedRequests: { metrics: ['vllm:request_success'], operation: 'total' },
  },
  failures: [
    {
      metric: 'vllm:request_success',
      causeLabel: 'finished_reason',
      cause: 'error',
      where: { label: 'finished_reason', values: ['abort', 'error'] },
      cancellations: ['abort'],
    },
    { metric: 'vllm:corrupted_requests', cause: 'corrupted output' },
  ],
  reconciliation: {
    requests: [{ name: 'vllm:request_success', of: 'total' }],
    unfinished: [
      {
        name: 'vllm:request_success',
        of: 'total',
        where: { label: 'finished_reason', values: ['abort', 'error'] },
      },
    ],
    promptTokens: [{ name: 'vllm:prompt_tokens', of: 'total' }],
    generationTokens: [{ name: 'vllm:generation_tokens', of: 'total' }],
    latency: [{ name: 'vllm:e2e_request_latency_seconds', unitMs: 1000 }],
    firstToken: [{ name: 'vllm:time_to_first_token_seconds', unitMs: 1000 }],
    interToken: [
      { name: 'vllm:inter_token_latency_seconds', unitMs: 1000, per: 'token' },
      { name: 'vllm:time_per_output_token_seconds', unitMs: 1000, per: 'token' },
    ],
    queue: [{ name: 'vllm:request_queue_time_seconds', unitMs: 1000 }],
    running: ['vllm:num_requests_running'],
  },
  promptTokenCache: {
    hits: { name: 'vllm:prefix_cache_hits', of: 'total' },
    all: { name: 'vllm:prefix_cache_queries', of: 'total' },
  },
  options: {
    maxRunning: '--max-num-seqs',
    memory: '--gpu-memory-utilization',
    memoryBytes: '--kv-cache-memory-bytes (on CPUs: VLLM_CPU_KVCACHE_SPACE)',
    blocks: '--num-gpu-blocks-override',
  },
  kvCacheConfig: {
    metric: 'vllm:cache_config_info',
    blocks: 'num_gpu_blocks',
    blockTokens: 'block_size',
    tokens: 'kv_cache_size_tokens',
    fixedBlocks: 'num_gpu_blocks_override',
    memory: 'gpu_memory_utilization',
    memoryBytes: 'kv_cache_memory_bytes',
  },
};
