import { listObjects, type Values } from '../rules/values.ts';
import { ENERGY_UNITS } from './energyTags.ts';
import type { Path } from './path.ts';

/** Fields of a profile export that are not metric blocks. */
export const DOCUMENT_FIELDS: ReadonlySet<string> = new Set([
  ...['schema_version', 'aiperf_version', 'benchmark_id', 'start_time', 'end_time', 'was_cancelled'],
  ...['input_config', 'run_info', 'telemetry_data', 'error_summary', 'warmup_metrics'],
  ...['servelens_version', 'servelens_config', 'load_generator', 'reconciliation', 'recovered', 'gpu_energy'],
  'url_metrics',
  ...['shard', 'shards'],
  ...['branch_stats', 'pooled_spec_decode_acceptance_histogram', 'metadata'],
]);

/** Reports whether an object is a metric block, which has a unit or a value. */
export function isMetricBlock(value: object): boolean {
  return Object.hasOwn(value, 'unit') || Object.hasOwn(value, 'avg');
}

/**
 * Lists the metric blocks of a profile export by tag: all objects with a unit or a value, except the known
 * document fields.
 */
export function listProfileBlocks(document: Values): [tag: string, block: Values, path: Path][] {
  return listObjects(document, []).filter(
    ([key, block]) => !DOCUMENT_FIELDS.has(key) && isMetricBlock(block),
  );
}

/** Tags of AIPerf's record metrics. They are measured for each request, and their blocks contain a distribution. */
export const RECORD_TAGS: ReadonlySet<string> = new Set([
  ...['time_to_first_token', 'time_to_second_token', 'time_to_first_output_token', 'inter_token_latency'],
  ...['inter_chunk_latency', 'output_token_throughput_per_user', 'prefill_throughput_per_user'],
  ...['request_latency', 'e2e_output_token_throughput', 'output_token_count', 'reasoning_token_count'],
  ...['output_sequence_length', 'input_sequence_length', 'error_isl', 'requested_osl'],
  ...['usage_prompt_tokens', 'usage_completion_tokens', 'usage_total_tokens', 'usage_reasoning_tokens'],
  ...['usage_prompt_tokens_diff_pct', 'usage_completion_tokens_diff_pct', 'usage_reasoning_tokens_diff_pct'],
  ...['osl_mismatch_diff_pct', 'http_req_blocked', 'http_req_dns_lookup', 'http_req_connecting'],
  ...['http_req_sending', 'http_req_waiting', 'http_req_receiving', 'http_req_duration', 'http_req_total'],
  ...['http_req_connection_overhead', 'http_req_data_sent', 'http_req_data_received'],
  ...['http_req_chunks_sent', 'http_req_chunks_received', 'http_req_connection_reused'],
  ...['decode_duration', 'credit_to_start_latency', 'effective_latency'],
  ...['network_adjusted_request_latency', 'network_adjusted_time_to_first_token'],
  'network_adjusted_time_to_first_output_token',
  ...['adj_request_latency', 'adj_time_to_first_token', 'adj_decode_duration', 'adj_inter_token_latency'],
  ...['usage_prompt_cache_read_tokens', 'usage_prompt_cache_write_tokens', 'usage_prompt_cache_miss_tokens'],
  ...['usage_accepted_prediction_tokens', 'usage_rejected_prediction_tokens', 'usage_prompt_audio_tokens'],
  ...['usage_completion_audio_tokens', 'usage_prompt_audio_seconds', 'usage_tool_use_prompt_tokens'],
  ...['spec_decode_acceptance_length', 'spec_decode_draft_acceptance_rate', 'spec_decode_steps'],
  ...['spec_decode_accepted_per_verified', 'spec_decode_accepted_draft_tokens', 'spec_decode_draft_tokens'],
]);

/**
 * Tags of AIPerf's aggregate and derived metrics. They are single values, and their blocks contain only a
 * unit and `avg`.
 */
export const SINGLE_TAGS: ReadonlySet<string> = new Set([
  ...['request_count', 'error_request_count', 'cancelled_request_count', 'request_error_rate'],
  ...['good_request_count', 'good_request_fraction', 'osl_mismatch_count'],
  ...['usage_discrepancy_count', 'min_request_timestamp', 'max_response_timestamp', 'benchmark_duration'],
  ...['request_throughput', 'output_token_throughput', 'total_token_throughput', 'goodput'],
  ...['total_isl', 'total_osl', 'total_output_tokens', 'total_reasoning_tokens', 'total_error_isl'],
  ...['total_usage_prompt_tokens', 'total_usage_completion_tokens', 'total_usage_total_tokens'],
  ...['overall_thinking_efficiency', 'completed_request_count', 'context_overflow_count'],
  ...['input_token_throughput', 'overall_usage_prompt_cache_read_pct', 'total_usage_reasoning_tokens'],
  ...['total_usage_prompt_cache_read_tokens', 'total_usage_prompt_cache_write_tokens'],
  ...['total_usage_prompt_cache_miss_tokens', 'total_usage_accepted_prediction_tokens'],
  ...['total_usage_rejected_prediction_tokens', 'total_usage_prompt_audio_tokens'],
  ...['total_usage_completion_audio_tokens', 'total_usage_prompt_audio_seconds'],
  ...['total_usage_tool_use_prompt_tokens', 'total_spec_decode_steps', 'total_accepted_draft_tokens'],
  ...['total_draft_tokens', 'spec_decode_token_weighted_acceptance_length'],
  ...['spec_decode_overall_draft_acceptance_rate', 'replay_sched_degraded'],
  ...['replay_sched_lag_p50', 'replay_sched_lag_p90', 'replay_sched_lag_p99'],
  ...Object.keys(ENERGY_UNITS),
  'output_token_throughput_per_gpu',
]);
