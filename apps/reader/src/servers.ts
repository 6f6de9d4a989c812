/** Which statistic of a metric tells the story; seed 002, "What to watch". */
export type WatchedStat = 'avg' | 'max' | 'total' | 'rate' | 'p99_estimate';

/** A metric that is worth a look on this kind of server. */
export interface WatchedMetric {
  /** Name as in the exports. */
  readonly name: string;
  readonly stat: WatchedStat;
  /** What it says, for people. */
  readonly meaning: string;
  /** For the few that belong on the live line. */
  readonly headline?: Headline;
}

/** How a metric is said in a word and a figure. */
export interface Headline {
  readonly word: string;
  /** What several series make: requests add up, of ratios the highest counts. */
  readonly combine: 'sum' | 'max';
}

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
      {
        name: 'vllm:num_requests_running',
        stat: 'avg',
        meaning: 'active batch size',
        headline: { word: 'running', combine: 'sum' },
      },
      {
        name: 'vllm:num_requests_waiting',
        stat: 'max',
        meaning: 'queue depth; growing = saturation',
        headline: { word: 'waiting', combine: 'sum' },
      },
      { name: 'vllm:num_requests_waiting_by_reason', stat: 'max', meaning: 'queue depth by reason' },
      {
        name: 'vllm:kv_cache_usage_perc',
        stat: 'max',
        meaning: 'KV cache in use; above 0.9 = at its limit',
        headline: { word: 'KV cache', combine: 'max' },
      },
      { name: 'vllm:num_preemptions', stat: 'total', meaning: 'preemptions; above 0 = short of memory' },
      { name: 'vllm:e2e_request_latency_seconds', stat: 'p99_estimate', meaning: 'end-to-end latency' },
      { name: 'vllm:time_to_first_token_seconds', stat: 'p99_estimate', meaning: 'time to first token' },
      {
        name: 'vllm:inter_token_latency_seconds',
        stat: 'p99_estimate',
        meaning: 'time between output tokens',
      },
      { name: 'vllm:prompt_tokens_by_source', stat: 'rate', meaning: 'prompt tokens by source' },
      { name: 'vllm:generation_tokens', stat: 'rate', meaning: 'decode throughput' },
    ],
  },
  {
    name: 'Dynamo',
    prefixes: ['dynamo_'],
    metrics: [
      { name: 'dynamo_frontend_active_requests', stat: 'avg', meaning: 'requests in HTTP handlers' },
      {
        name: 'dynamo_frontend_inflight_requests',
        stat: 'avg',
        meaning: 'requests in engines',
        headline: { word: 'in flight', combine: 'sum' },
      },
      {
        name: 'dynamo_frontend_queued_requests',
        stat: 'avg',
        meaning: 'awaiting their first token',
        headline: { word: 'queued', combine: 'sum' },
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
        meaning: 'time between output tokens',
      },
      { name: 'dynamo_frontend_requests', stat: 'rate', meaning: 'completed requests' },
      { name: 'dynamo_frontend_output_tokens', stat: 'rate', meaning: 'decode throughput' },
      {
        name: 'dynamo_component_gpu_cache_usage_percent',
        stat: 'max',
        meaning: 'KV cache in use',
        headline: { word: 'KV cache', combine: 'max' },
      },
    ],
  },
  {
    name: 'SGLang',
    prefixes: ['sglang:'],
    metrics: [
      {
        name: 'sglang:num_running_reqs',
        stat: 'avg',
        meaning: 'active batch size',
        headline: { word: 'running', combine: 'sum' },
      },
      {
        name: 'sglang:num_queue_reqs',
        stat: 'max',
        meaning: 'queue depth; growing = saturation',
        headline: { word: 'queued', combine: 'sum' },
      },
      {
        name: 'sglang:token_usage',
        stat: 'max',
        meaning: 'memory in use; above 0.9 = at its limit',
        headline: { word: 'token usage', combine: 'max' },
      },
      { name: 'sglang:cache_hit_rate', stat: 'avg', meaning: 'prefix cache efficiency' },
      { name: 'sglang:gen_throughput', stat: 'avg', meaning: 'tokens a second, as it goes' },
      { name: 'sglang:time_to_first_token_seconds', stat: 'p99_estimate', meaning: 'time to first token' },
      {
        name: 'sglang:inter_token_latency_seconds',
        stat: 'p99_estimate',
        meaning: 'time between output tokens',
      },
      { name: 'sglang:e2e_request_latency_seconds', stat: 'p99_estimate', meaning: 'end-to-end latency' },
      { name: 'sglang:queue_time_seconds', stat: 'p99_estimate', meaning: 'wait in the queue' },
      { name: 'sglang:prompt_tokens', stat: 'rate', meaning: 'prefill throughput' },
      { name: 'sglang:generation_tokens', stat: 'rate', meaning: 'decode throughput' },
    ],
  },
  {
    name: 'TensorRT-LLM',
    prefixes: ['trtllm_'],
    metrics: [
      { name: 'trtllm_e2e_request_latency_seconds', stat: 'p99_estimate', meaning: 'end-to-end latency' },
      { name: 'trtllm_time_to_first_token_seconds', stat: 'p99_estimate', meaning: 'time to first token' },
      {
        name: 'trtllm_time_per_output_token_seconds',
        stat: 'p99_estimate',
        meaning: 'time between output tokens',
      },
      { name: 'trtllm_request_queue_time_seconds', stat: 'p99_estimate', meaning: 'wait in the queue' },
      { name: 'trtllm_request_prefill_time_seconds', stat: 'p99_estimate', meaning: 'prefill' },
      { name: 'trtllm_request_decode_time_seconds', stat: 'p99_estimate', meaning: 'decode' },
      { name: 'trtllm_request_success', stat: 'rate', meaning: 'completed requests' },
      { name: 'trtllm_prompt_tokens', stat: 'rate', meaning: 'prefill throughput' },
      { name: 'trtllm_generation_tokens', stat: 'rate', meaning: 'decode throughput' },
      {
        name: 'trtllm_num_requests_running',
        stat: 'avg',
        meaning: 'active requests',
        headline: { word: 'running', combine: 'sum' },
      },
      {
        name: 'trtllm_num_requests_waiting',
        stat: 'max',
        meaning: 'queued requests',
        headline: { word: 'waiting', combine: 'sum' },
      },
      {
        name: 'trtllm_kv_cache_utilization',
        stat: 'max',
        meaning: 'KV cache in use',
        headline: { word: 'KV cache', combine: 'max' },
      },
      { name: 'trtllm_kv_cache_hit_rate', stat: 'avg', meaning: 'KV cache reuse' },
    ],
  },
  {
    name: 'Triton',
    prefixes: ['nv_'],
    metrics: [
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
        headline: { word: 'pending', combine: 'sum' },
      },
      { name: 'nv_inference_request_duration_us', stat: 'total', meaning: 'time in requests, added up' },
      { name: 'nv_inference_queue_duration_us', stat: 'total', meaning: 'time in queues, added up' },
      {
        name: 'nv_inference_first_response_histogram_ms',
        stat: 'p99_estimate',
        meaning: 'time to first response',
      },
      {
        name: 'nv_gpu_utilization',
        stat: 'avg',
        meaning: 'GPU utilisation',
        headline: { word: 'GPU', combine: 'max' },
      },
      { name: 'nv_gpu_memory_used_bytes', stat: 'max', meaning: 'GPU memory in use' },
      { name: 'nv_cache_num_hits_per_model', stat: 'total', meaning: 'response-cache hits' },
      { name: 'nv_cache_num_misses_per_model', stat: 'total', meaning: 'response-cache misses' },
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
