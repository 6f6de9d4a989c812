/** A metric of a server and what of it is meant. Names are those of exports: counters without `_total`. */
export interface Source {
  readonly name: string;
  /** A counter's total, or the observations or the sum of a histogram. */
  readonly of: 'total' | 'count' | 'sum';
  /** Only series that have this label with one of these values. */
  readonly where?: { readonly label: string; readonly values: readonly string[] };
}

/** A latency as a server keeps it: a histogram, or a counter of time beside a counter of requests. */
export interface LatencySource {
  readonly name: string;
  /** What one unit of it is, ms. */
  readonly unitMs: number;
  /** Where `name` is a counter of time: the counter that it is divided by. */
  readonly by?: string;
  /** What one observation is; a request without it. */
  readonly per?: 'token';
}

/** Where one kind of server says what the client can be held against. Of several sources the first one that is there counts. */
export interface ServerSources {
  /** As the reader calls it. */
  readonly kind: string;
  /** Requests that ended, whatever way. */
  readonly requests: readonly Source[];
  /** Those of them that were hung up or failed. */
  readonly unfinished: readonly Source[];
  readonly promptTokens: readonly Source[];
  readonly generationTokens: readonly Source[];
  readonly latency: readonly LatencySource[];
  readonly firstToken: readonly LatencySource[];
  readonly interToken: readonly LatencySource[];
  readonly queue: readonly LatencySource[];
  /** Gauge of requests under way. */
  readonly running: readonly string[];
}

const SECOND = 1000;

/**
 * Seed 002, "Key metrics by server". The one that is nearest to the client comes first: behind Dynamo's frontend there are
 * engines whose own metrics stand on other pages.
 */
export const SERVER_SOURCES: readonly ServerSources[] = [
  {
    kind: 'Dynamo',
    requests: [{ name: 'dynamo_frontend_requests', of: 'total' }],
    unfinished: [
      { name: 'dynamo_frontend_requests', of: 'total', where: { label: 'status', values: ['error'] } },
    ],
    promptTokens: [{ name: 'dynamo_frontend_input_sequence_tokens', of: 'sum' }],
    generationTokens: [
      { name: 'dynamo_frontend_output_tokens', of: 'total' },
      { name: 'dynamo_frontend_output_sequence_tokens', of: 'sum' },
    ],
    latency: [{ name: 'dynamo_frontend_request_duration_seconds', unitMs: SECOND }],
    firstToken: [{ name: 'dynamo_frontend_time_to_first_token_seconds', unitMs: SECOND }],
    interToken: [{ name: 'dynamo_frontend_inter_token_latency_seconds', unitMs: SECOND, per: 'token' }],
    queue: [],
    running: ['dynamo_frontend_inflight_requests', 'dynamo_frontend_active_requests'],
  },
  {
    kind: 'vLLM',
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
    latency: [{ name: 'vllm:e2e_request_latency_seconds', unitMs: SECOND }],
    firstToken: [{ name: 'vllm:time_to_first_token_seconds', unitMs: SECOND }],
    interToken: [
      { name: 'vllm:inter_token_latency_seconds', unitMs: SECOND, per: 'token' },
      { name: 'vllm:time_per_output_token_seconds', unitMs: SECOND, per: 'token' },
    ],
    queue: [{ name: 'vllm:request_queue_time_seconds', unitMs: SECOND }],
    running: ['vllm:num_requests_running'],
  },
  {
    kind: 'SGLang',
    requests: [
      { name: 'sglang:num_requests', of: 'total' },
      { name: 'sglang:e2e_request_latency_seconds', of: 'count' },
    ],
    unfinished: [],
    promptTokens: [{ name: 'sglang:prompt_tokens', of: 'total' }],
    generationTokens: [{ name: 'sglang:generation_tokens', of: 'total' }],
    latency: [{ name: 'sglang:e2e_request_latency_seconds', unitMs: SECOND }],
    firstToken: [{ name: 'sglang:time_to_first_token_seconds', unitMs: SECOND }],
    interToken: [{ name: 'sglang:inter_token_latency_seconds', unitMs: SECOND, per: 'token' }],
    queue: [{ name: 'sglang:queue_time_seconds', unitMs: SECOND }],
    running: ['sglang:num_running_reqs'],
  },
  {
    kind: 'TRT-LLM',
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
    latency: [{ name: 'trtllm_e2e_request_latency_seconds', unitMs: SECOND }],
    firstToken: [{ name: 'trtllm_time_to_first_token_seconds', unitMs: SECOND }],
    interToken: [{ name: 'trtllm_time_per_output_token_seconds', unitMs: SECOND }],
    queue: [{ name: 'trtllm_request_queue_time_seconds', unitMs: SECOND }],
    running: ['trtllm_num_requests_running'],
  },
  {
    kind: 'Triton',
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
];
