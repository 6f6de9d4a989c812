import type { ServerDefinition } from '../serverDefinition.ts';

/**
 * NVIDIA Triton Inference Server:
 * https://docs.nvidia.com/deeplearning/triton-inference-server/user-guide/docs/user_guide/metrics.html
 */
export const triton: ServerDefinition = {
  name: 'Triton',
  metricPrefixes: ['nv_'],
  keyMetrics: [
    { name: 'nv_inference_request_success', stat: 'rate', meaning: 'successful requests' },
    { name: 'nv_inference_request_failure', stat: 'total', meaning: 'failed requests by reason' },
    { name: 'nv_inference_count', stat: 'rate', meaning: 'inferences' },
    {
      name: 'nv_inference_exec_count',
      stat: 'rate',
      meaning: 'executions; inferences / executions = batch size',
    },
    {
      name: 'nv_inference_pending_request_count',
      stat: 'max',
      meaning: 'queue depth',
      headline: { label: 'pending', operation: 'sum' },
    },
    { name: 'nv_inference_request_duration_us', stat: 'total', meaning: 'total request time' },
    { name: 'nv_inference_queue_duration_us', stat: 'total', meaning: 'total queue time' },
    {
      name: 'nv_inference_first_response_histogram_ms',
      stat: 'p99_estimate',
      meaning: 'time to first response',
    },
    {
      name: 'nv_gpu_utilization',
      stat: 'avg',
      meaning: 'GPU utilization',
      headline: { label: 'GPU', operation: 'max' },
    },
    { name: 'nv_gpu_memory_used_bytes', stat: 'max', meaning: 'GPU memory usage' },
    { name: 'nv_cache_num_hits_per_model', stat: 'total', meaning: 'response cache hits' },
    { name: 'nv_cache_num_misses_per_model', stat: 'total', meaning: 'response cache misses' },
  ],
  roles: {
    running: { metrics: ['nv_inference_request_duration_us'], operation: 'busy' },
    waiting: { metrics: ['nv_inference_pending_request_count'], operation: 'sum' },
    cacheHits: { metrics: ['nv_cache_num_hits_per_model'], operation: 'total' },
    cacheMisses: { metrics: ['nv_cache_num_misses_per_model'], operation: 'total' },
    timeToFirstToken: { metrics: ['nv_inference_first_response_histogram_ms'], operation: 'p99' },
    completedRequests: { metrics: ['nv_inference_request_success'], operation: 'total' },
    // Triton does not count tokens. Inferences show whether it is idle.
    outputTokens: { metrics: ['nv_inference_count'], operation: 'total' },
  },
  failures: [
    {
      metric: 'nv_inference_request_failure',
      causeLabel: 'reason',
      cause: 'failure',
      cancellations: ['CANCELED'],
    },
  ],
  reconciliation: {
    requests: [{ name: 'nv_inference_request_success', of: 'total' }],
    unfinished: [],
    promptTokens: [],
    generationTokens: [],
    latency: [{ name: 'nv_inference_request_duration_us', unitMs: 1e-3, by: 'nv_inference_request_success' }],
    firstToken: [{ name: 'nv_inference_first_response_histogram_ms', unitMs: 1 }],
    interToken: [],
    queue: [{ name: 'nv_inference_queue_duration_us', unitMs: 1e-3, by: 'nv_inference_request_success' }],
    running: ['nv_inference_pending_request_count'],
  },
};
