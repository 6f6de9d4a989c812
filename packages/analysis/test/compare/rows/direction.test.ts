import { expect, test } from 'vitest';
import { DIRECTION_RULES, findDirection } from '../../../src/compare/rows/direction.ts';
import type { SeriesType } from '../../../src/run/series.ts';

type DirectionCase = readonly [
  name: string,
  type: SeriesType,
  better: ReturnType<typeof findDirection>,
  rule: number,
];

/** The last number is the index of the rule that applies; -1 if none does. */
const rows: readonly DirectionCase[] = [
  ['vllm:num_preemptions', 'counter', 'lower', 0],
  ['nv_inference_request_failure', 'counter', 'lower', 0],
  ['dynamo_component_errors', 'counter', 'lower', 0],
  ['trtllm_num_aborted_requests', 'counter', 'lower', 0],
  ['error_request_count', 'client', 'lower', 0],
  ['vllm:prompt_tokens_recomputed', 'counter', 'lower', 0],
  ['context_overflow_count', 'client', 'lower', 0],
  ['vllm:e2e_request_latency_seconds', 'histogram', 'lower', 1],
  ['vllm:time_to_first_token_seconds', 'histogram', 'lower', 1],
  ['vllm:request_queue_time_seconds', 'histogram', 'lower', 1],
  ['vllm:request_time_per_output_token_seconds', 'histogram', 'lower', 1],
  ['sglang:queue_time_seconds', 'histogram', 'lower', 1],
  ['dynamo_frontend_request_duration_seconds', 'histogram', 'lower', 1],
  ['dynamo_frontend_event_loop_delay_seconds', 'histogram', 'lower', 1],
  ['request_latency', 'client', 'lower', 1],
  ['time_to_first_token', 'client', 'lower', 1],
  ['effective_latency', 'client', 'lower', 1],
  ['decode_duration', 'client', 'lower', 1],
  ['replay_sched_lag_p99', 'client', 'lower', 1],
  ['http_req_waiting', 'client', 'lower', 2],
  ['nvidia_output_tokens_per_joule', 'client', 'higher', 3],
  ['amd_goodput_per_watt', 'client', 'higher', 3],
  ['nvidia_energy_per_output_token', 'client', 'lower', 4],
  ['amd_energy_per_user', 'client', 'lower', 4],
  ['nvidia_total_gpu_energy', 'client', 'lower', 4],
  ['server_gpu_energy', 'client', 'lower', 4],
  ['server_energy_per_output_token', 'client', 'lower', 4],
  ['nvidia_energy_delay_product', 'client', 'lower', 1],
  ['output_token_throughput_per_gpu', 'client', 'higher', 5],
  ['sglang:gen_throughput', 'gauge', 'higher', 5],
  ['request_throughput', 'client', 'higher', 5],
  ['output_token_throughput_per_user', 'client', 'higher', 5],
  ['goodput', 'client', 'higher', 5],
  ['sglang:cache_hit_rate', 'gauge', 'higher', 6],
  ['trtllm_kv_cache_hit_rate', 'gauge', 'higher', 6],
  ['spec_decode_accepted_per_verified', 'client', 'higher', 6],
  ['overall_usage_prompt_cache_read_pct', 'client', 'higher', 6],
  ['vllm:generation_tokens', 'counter', 'higher', 7],
  ['vllm:prompt_tokens', 'counter', 'higher', 7],
  ['dynamo_frontend_output_tokens', 'counter', 'higher', 7],
  ['vllm:request_success', 'counter', 'higher', 8],
  ['nv_inference_count', 'counter', 'higher', 8],
  ['dynamo_frontend_requests', 'counter', 'higher', 8],
  ['vllm:num_requests_waiting', 'gauge', 'neither', -1],
  ['vllm:num_requests_running', 'gauge', 'neither', -1],
  ['vllm:kv_cache_usage_perc', 'gauge', 'neither', -1],
  ['nv_inference_request_duration_us', 'counter', 'neither', -1],
  ['vllm:prefix_cache_queries', 'counter', 'neither', -1],
  ['vllm:request_prompt_tokens', 'histogram', 'neither', -1],
  ['process_resident_memory_bytes', 'gauge', 'neither', -1],
  ['python_gc_collections', 'counter', 'neither', -1],
  ['nv_gpu_utilization', 'gauge', 'neither', -1],
  ['nvidia_total_gpu_power', 'client', 'neither', -1],
  ['request_count', 'client', 'neither', -1],
  ['effective_concurrency', 'client', 'neither', -1],
  ['tokens_in_flight', 'client', 'neither', -1],
  ['input_sequence_length', 'client', 'neither', -1],
];

test.each(rows)('%s (%s): %s', (name, type, better, rule) => {
  expect(findDirection(name, type)).toBe(better);
  expect(
    DIRECTION_RULES.findIndex(
      ({ name: pattern, types }) => pattern.test(name) && (types?.includes(type) ?? true),
    ),
  ).toBe(rule);
});

test('every rule is covered by a case', () => {
  expect(new Set(rows.map(([, , , rule]) => rule).filter(rule => rule >= 0)).size).toBe(
    DIRECTION_RULES.length,
  );
});
