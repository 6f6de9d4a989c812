/** What a metric stands for, whatever the server calls it. */
export type Role =
  | 'running'
  | 'waiting'
  | 'kvCache'
  | 'preemptions'
  | 'cacheHits'
  | 'cacheQueries'
  | 'cacheMisses'
  | 'cacheHitRate'
  | 'firstToken'
  | 'latency'
  | 'betweenTokens'
  | 'outputTokens'
  | 'completed'
  | 'failed';

/** Metrics by role, and by kind of server as `SERVER_KINDS` names them; from seed 002's lists. */
export const SERVER_ROLES: Readonly<Record<string, Readonly<Partial<Record<Role, string>>>>> = {
  vLLM: {
    running: 'vllm:num_requests_running',
    waiting: 'vllm:num_requests_waiting',
    kvCache: 'vllm:kv_cache_usage_perc',
    preemptions: 'vllm:num_preemptions',
    cacheHits: 'vllm:prefix_cache_hits',
    cacheQueries: 'vllm:prefix_cache_queries',
    firstToken: 'vllm:time_to_first_token_seconds',
    latency: 'vllm:e2e_request_latency_seconds',
    betweenTokens: 'vllm:inter_token_latency_seconds',
    outputTokens: 'vllm:generation_tokens',
    completed: 'vllm:request_success',
  },
  Dynamo: {
    running: 'dynamo_frontend_inflight_requests',
    waiting: 'dynamo_frontend_queued_requests',
    kvCache: 'dynamo_component_gpu_cache_usage_percent',
    firstToken: 'dynamo_frontend_time_to_first_token_seconds',
    latency: 'dynamo_frontend_request_duration_seconds',
    betweenTokens: 'dynamo_frontend_inter_token_latency_seconds',
    outputTokens: 'dynamo_frontend_output_tokens',
    completed: 'dynamo_frontend_requests',
    failed: 'dynamo_component_errors',
  },
  SGLang: {
    running: 'sglang:num_running_reqs',
    waiting: 'sglang:num_queue_reqs',
    kvCache: 'sglang:token_usage',
    cacheHitRate: 'sglang:cache_hit_rate',
    firstToken: 'sglang:time_to_first_token_seconds',
    latency: 'sglang:e2e_request_latency_seconds',
    betweenTokens: 'sglang:inter_token_latency_seconds',
    outputTokens: 'sglang:generation_tokens',
  },
  'TensorRT-LLM': {
    running: 'trtllm_num_requests_running',
    waiting: 'trtllm_num_requests_waiting',
    kvCache: 'trtllm_kv_cache_utilization',
    cacheHitRate: 'trtllm_kv_cache_hit_rate',
    firstToken: 'trtllm_time_to_first_token_seconds',
    latency: 'trtllm_e2e_request_latency_seconds',
    betweenTokens: 'trtllm_time_per_output_token_seconds',
    outputTokens: 'trtllm_generation_tokens',
    completed: 'trtllm_request_success',
    failed: 'trtllm_num_aborted_requests',
  },
  Triton: {
    // Time that requests took, per second: how many there were at once on average (Little's law).
    running: 'nv_inference_request_duration_us',
    waiting: 'nv_inference_pending_request_count',
    cacheHits: 'nv_cache_num_hits_per_model',
    cacheMisses: 'nv_cache_num_misses_per_model',
    firstToken: 'nv_inference_first_response_histogram_ms',
    completed: 'nv_inference_request_success',
    failed: 'nv_inference_request_failure',
    outputTokens: 'nv_inference_count',
  },
};
