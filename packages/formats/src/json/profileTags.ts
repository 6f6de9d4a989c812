import { ENERGY_UNITS } from './energyTags.ts';

/** Tags of AIPerf's metrics, by unit. */
const TAGS_BY_UNIT: Readonly<Record<string, readonly string[]>> = {
  ms: [
    ...['request_latency', 'time_to_first_token', 'time_to_second_token', 'time_to_first_output_token'],
    ...['inter_token_latency', 'inter_chunk_latency', 'decode_duration', 'credit_to_start_latency'],
    ...['effective_latency', 'adj_request_latency', 'adj_time_to_first_token', 'adj_inter_token_latency'],
    ...['adj_decode_duration', 'http_req_blocked', 'http_req_dns_lookup', 'http_req_connecting'],
    ...['http_req_sending', 'http_req_waiting', 'http_req_receiving', 'http_req_duration', 'http_req_total'],
    ...['http_req_connection_overhead', 'replay_sched_lag_p50', 'replay_sched_lag_p90'],
    ...['replay_sched_lag_p99', 'network_adjusted_request_latency', 'network_adjusted_time_to_first_token'],
    ...['network_adjusted_time_to_first_output_token', 'network_rtt'],
  ],
  sec: ['benchmark_duration', 'usage_prompt_audio_seconds', 'total_usage_prompt_audio_seconds'],
  ns: ['min_request_timestamp', 'max_response_timestamp'],
  tokens: [
    ...['output_token_count', 'reasoning_token_count', 'output_sequence_length', 'input_sequence_length'],
    ...['error_isl', 'requested_osl', 'tokens_in_flight', 'usage_prompt_tokens', 'usage_completion_tokens'],
    ...['usage_total_tokens', 'usage_reasoning_tokens', 'usage_prompt_cache_read_tokens', 'total_isl'],
    ...['total_osl', 'total_error_isl', 'total_output_tokens', 'total_reasoning_tokens'],
    ...['total_usage_prompt_tokens', 'total_usage_completion_tokens', 'total_usage_total_tokens'],
    ...['total_usage_prompt_cache_read_tokens', 'total_usage_reasoning_tokens'],
    ...['usage_prompt_cache_write_tokens', 'total_usage_prompt_cache_write_tokens'],
    ...['usage_prompt_cache_miss_tokens', 'total_usage_prompt_cache_miss_tokens'],
    ...['usage_accepted_prediction_tokens', 'total_usage_accepted_prediction_tokens'],
    ...['usage_rejected_prediction_tokens', 'total_usage_rejected_prediction_tokens'],
    ...['usage_prompt_audio_tokens', 'total_usage_prompt_audio_tokens'],
    ...['usage_completion_audio_tokens', 'total_usage_completion_audio_tokens'],
    ...['usage_tool_use_prompt_tokens', 'total_usage_tool_use_prompt_tokens'],
    ...['spec_decode_accepted_draft_tokens', 'spec_decode_draft_tokens'],
    ...['total_accepted_draft_tokens', 'total_draft_tokens'],
  ],
  count: ['spec_decode_steps', 'total_spec_decode_steps', 'replay_sched_degraded'],
  ratio: [
    ...['good_request_fraction', 'spec_decode_acceptance_length', 'spec_decode_accepted_per_verified'],
    'spec_decode_token_weighted_acceptance_length',
  ],
  requests: [
    ...['request_count', 'error_request_count', 'good_request_count', 'completed_request_count'],
    ...['context_overflow_count', 'osl_mismatch_count', 'usage_discrepancy_count'],
    ...['effective_concurrency', 'effective_decode_concurrency', 'effective_prefill_concurrency'],
  ],
  'requests/sec': ['request_throughput', 'goodput'],
  'tokens/sec': [
    ...['output_token_throughput', 'input_token_throughput', 'total_token_throughput'],
    ...['active_decode_throughput', 'active_prefill_throughput', 'active_total_throughput'],
    ...['effective_decode_throughput', 'effective_prefill_throughput', 'effective_total_throughput'],
  ],
  'tokens/sec/user': [
    ...['output_token_throughput_per_user', 'prefill_throughput_per_user', 'e2e_output_token_throughput'],
    ...['active_decode_throughput_per_user', 'active_prefill_throughput_per_user'],
    ...['effective_decode_throughput_per_user', 'effective_prefill_throughput_per_user'],
  ],
  '%': [
    ...['usage_prompt_tokens_diff_pct', 'usage_completion_tokens_diff_pct', 'osl_mismatch_diff_pct'],
    ...['usage_reasoning_tokens_diff_pct', 'request_error_rate', 'overall_usage_prompt_cache_read_pct'],
    ...['spec_decode_draft_acceptance_rate', 'spec_decode_overall_draft_acceptance_rate'],
  ],
};

/** The unit of each of AIPerf's metrics, by tag. */
export const UNIT_BY_TAG: ReadonlyMap<string, string> = new Map([
  ...Object.entries(TAGS_BY_UNIT).flatMap(([unit, tags]) => tags.map(tag => [tag, unit] as const)),
  ...Object.entries(ENERGY_UNITS),
]);

/** Reports whether the values of a metric can be negative: differences can, and metrics that are not known. */
export function canBeNegative(tag: string): boolean {
  return !UNIT_BY_TAG.has(tag) || tag.endsWith('_diff_pct');
}

/** Reports whether the values of a metric are numbers of requests, which are integers. */
export function isRequestCount(tag: string): boolean {
  return tag.endsWith('_count') && UNIT_BY_TAG.get(tag) === 'requests';
}

/** Reports whether a metric is weighted by time. Such a metric has a distribution, but no count and no sum. */
export function isWeightedByTime(tag: string): boolean {
  return /^(active|effective)_(?!latency$)|^tokens_in_flight$/.test(tag);
}
