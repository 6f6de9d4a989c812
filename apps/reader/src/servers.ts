import { adding, fullest, highest, mean, p99, rate, total, type WatchedMetric } from './watched.ts';

/** A kind of inference server and how to know it. */
export interface ServerKind {
  readonly name: string;
  /** A server is of this kind when a metric name begins with one of these. */
  readonly prefixes: readonly string[];
  readonly metrics: readonly WatchedMetric[];
}

/** The kinds that we know, and what to watch on each: seed 002's quick reference. */
export const SERVER_KINDS: readonly ServerKind[] = [
  {
    name: 'vLLM',
    prefixes: ['vllm:'],
    metrics: [
      mean('vllm:num_requests_running', 'active batch size', adding('running')),
      highest('vllm:num_requests_waiting', 'queue depth; growing = saturation', adding('waiting')),
      highest('vllm:num_requests_waiting_by_reason', 'queue depth by reason'),
      highest('vllm:kv_cache_usage_perc', 'KV cache in use; above 0.9 = at its limit', fullest('KV cache')),
      total('vllm:num_preemptions', 'preemptions; above 0 = short of memory'),
      p99('vllm:e2e_request_latency_seconds', 'end-to-end latency'),
      p99('vllm:time_to_first_token_seconds', 'time to first token'),
      p99('vllm:inter_token_latency_seconds', 'time between output tokens'),
      rate('vllm:prompt_tokens_by_source', 'prompt tokens by source'),
      rate('vllm:generation_tokens', 'decode throughput'),
    ],
  },
  {
    name: 'Dynamo',
    prefixes: ['dynamo_'],
    metrics: [
      mean('dynamo_frontend_active_requests', 'requests in HTTP handlers'),
      mean('dynamo_frontend_inflight_requests', 'requests in engines', adding('in flight')),
      mean('dynamo_frontend_queued_requests', 'awaiting their first token', adding('queued')),
      p99('dynamo_frontend_request_duration_seconds', 'end-to-end latency'),
      p99('dynamo_frontend_time_to_first_token_seconds', 'time to first token'),
      p99('dynamo_frontend_inter_token_latency_seconds', 'time between output tokens'),
      rate('dynamo_frontend_requests', 'completed requests'),
      rate('dynamo_frontend_output_tokens', 'decode throughput'),
      highest('dynamo_component_gpu_cache_usage_percent', 'KV cache in use', fullest('KV cache')),
    ],
  },
  {
    name: 'SGLang',
    prefixes: ['sglang:'],
    metrics: [
      mean('sglang:num_running_reqs', 'active batch size', adding('running')),
      highest('sglang:num_queue_reqs', 'queue depth; growing = saturation', adding('queued')),
      highest('sglang:token_usage', 'memory in use; above 0.9 = at its limit', fullest('token usage')),
      mean('sglang:cache_hit_rate', 'prefix cache efficiency'),
      mean('sglang:gen_throughput', 'tokens a second, as it goes'),
      p99('sglang:time_to_first_token_seconds', 'time to first token'),
      p99('sglang:inter_token_latency_seconds', 'time between output tokens'),
      p99('sglang:e2e_request_latency_seconds', 'end-to-end latency'),
      p99('sglang:queue_time_seconds', 'wait in the queue'),
      rate('sglang:prompt_tokens', 'prefill throughput'),
      rate('sglang:generation_tokens', 'decode throughput'),
    ],
  },
  {
    name: 'TensorRT-LLM',
    prefixes: ['trtllm_'],
    metrics: [
      p99('trtllm_e2e_request_latency_seconds', 'end-to-end latency'),
      p99('trtllm_time_to_first_token_seconds', 'time to first token'),
      p99('trtllm_time_per_output_token_seconds', 'time between output tokens'),
      p99('trtllm_request_queue_time_seconds', 'wait in the queue'),
      p99('trtllm_request_prefill_time_seconds', 'prefill'),
      p99('trtllm_request_decode_time_seconds', 'decode'),
      rate('trtllm_request_success', 'completed requests'),
      rate('trtllm_prompt_tokens', 'prefill throughput'),
      rate('trtllm_generation_tokens', 'decode throughput'),
      mean('trtllm_num_requests_running', 'active requests', adding('running')),
      highest('trtllm_num_requests_waiting', 'queued requests', adding('waiting')),
      highest('trtllm_kv_cache_utilization', 'KV cache in use', fullest('KV cache')),
      mean('trtllm_kv_cache_hit_rate', 'KV cache reuse'),
    ],
  },
  {
    name: 'Triton',
    prefixes: ['nv_'],
    metrics: [
      rate('nv_inference_request_success', 'successful requests'),
      total('nv_inference_request_failure', 'failed requests by reason'),
      rate('nv_inference_count', 'inferences'),
      rate('nv_inference_exec_count', 'executions; inferences / executions = batch size'),
      highest('nv_inference_pending_request_count', 'queue depth', adding('pending')),
      total('nv_inference_request_duration_us', 'time in requests, added up'),
      total('nv_inference_queue_duration_us', 'time in queues, added up'),
      p99('nv_inference_first_response_histogram_ms', 'time to first response'),
      mean('nv_gpu_utilization', 'GPU utilisation', fullest('GPU')),
      highest('nv_gpu_memory_used_bytes', 'GPU memory in use'),
      total('nv_cache_num_hits_per_model', 'response-cache hits'),
      total('nv_cache_num_misses_per_model', 'response-cache misses'),
    ],
  },
];

/** The kinds that one of the metric names gives away, in the order of the list. */
export function recognisedServers(metricNames: Iterable<string>): ServerKind[] {
  const names = [...metricNames];
  return SERVER_KINDS.filter(kind =>
    names.some(name => kind.prefixes.some(prefix => name.startsWith(prefix))),
  );
}

/** A metric's name without the prefix of its server, where that is said beside it. */
export function bareName(name: string): string {
  const prefix = SERVER_KINDS.flatMap(({ prefixes }) => prefixes).find(one => name.startsWith(one));
  return prefix === undefined ? name : name.slice(prefix.length);
}
