import { describe, expect, test } from 'vitest';
import { computeRequestMetrics } from '../../src/metrics/requestMetrics.ts';
import { createFailedRecord, createRecord } from '../support/record.ts';

describe('metrics of one request', () => {
  test.each([
    ['time_to_first_token', 50, 'ms'],
    ['time_to_second_token', 10, 'ms'],
    ['time_to_first_output_token', 50, 'ms'],
    ['inter_token_latency', 10, 'ms'],
    ['output_token_throughput_per_user', 100, 'tokens/sec/user'],
    ['prefill_throughput_per_user', 2000, 'tokens/sec/user'],
    ['stream_setup_latency', 26, 'ms'],
    ['stream_prefill_latency', 24, 'ms'],
    ['request_latency', 90, 'ms'],
    ['e2e_output_token_throughput', 5 / 0.09, 'tokens/sec/user'],
    ['output_token_count', 5, 'tokens'],
    ['output_sequence_length', 5, 'tokens'],
    ['input_sequence_length', 100, 'tokens'],
    ['usage_prompt_tokens', 107, 'tokens'],
    ['usage_completion_tokens', 6, 'tokens'],
    ['usage_total_tokens', 113, 'tokens'],
    ['usage_prompt_tokens_diff_pct', 7, '%'],
    ['usage_completion_tokens_diff_pct', 20, '%'],
    ['requested_osl', 10, 'tokens'],
    ['osl_mismatch_diff_pct', -50, '%'],
    ['credit_drop_latency', 2, 'ms'],
    ['http_req_blocked', 1, 'ms'],
    ['http_req_dns_lookup', 2, 'ms'],
    ['http_req_connecting', 3, 'ms'],
    ['http_req_sending', 1, 'ms'],
    ['http_req_waiting', 20, 'ms'],
    ['http_req_receiving', 65, 'ms'],
    ['http_req_duration', 86, 'ms'],
    ['http_req_connection_overhead', 6, 'ms'],
    ['http_req_total', 92, 'ms'],
    ['http_req_data_sent', 2, 'KB'],
    ['http_req_data_received', 4, 'KB'],
    ['http_req_chunks_sent', 1, 'count'],
    ['http_req_chunks_received', 4, 'count'],
    ['http_req_connection_reused', 0, 'ratio'],
  ])('%s', (tag, value, unit) => {
    const measured = computeRequestMetrics(createRecord())[tag]!;
    expect(measured.value).toBeCloseTo(value, 9);
    expect(measured.unit).toBe(unit);
  });

  test('inter_chunk_latency lists all gaps between chunks', () => {
    expect(computeRequestMetrics(createRecord()).inter_chunk_latency).toEqual({
      value: [10, 30],
      unit: 'ms',
    });
  });

  test('there is no gap between reasoning and output of one chunk', () => {
    const { arrivals } = createRecord();
    const timesNs = Float64Array.from([150e6, 160e6, 160e6, 190e6]);
    const record = createRecord({
      arrivals: { ...arrivals, timesNs, kinds: Uint8Array.of(1, 1, 2, 0), tokens: new Uint32Array(4) },
    });
    expect(computeRequestMetrics(record)).toMatchObject({
      time_to_second_token: { value: 10 },
      inter_chunk_latency: { value: [10, 30] },
    });
  });

  test('output_sequence_length includes reasoning', () => {
    const record = createRecord({ tokens: { input: 1, output: 3, reasoning: 9, source: 'client' } });
    expect(computeRequestMetrics(record)).toMatchObject({
      output_token_count: { value: 3 },
      reasoning_token_count: { value: 9 },
      output_sequence_length: { value: 12 },
      thinking_efficiency: { value: 0.75 },
    });
  });

  test('a request that is not streamed has no streaming metrics', () => {
    const tags = Object.keys(computeRequestMetrics(createRecord({ streaming: false })));
    expect(tags).toContain('request_latency');
    expect(tags.filter(tag => /token_latency|first|second|per_user|chunk_latency|^stream/.test(tag))).toEqual(
      [],
    );
  });

  test('an embedding has no output metrics', () => {
    const tags = Object.keys(
      computeRequestMetrics(createRecord({ endpoint: 'embeddings', streaming: false })),
    );
    expect(tags.filter(tag => /output|osl|completion_tokens_diff/.test(tag))).toEqual(['requested_osl']);
  });

  test('a single token has no inter-token latency', () => {
    const measured = computeRequestMetrics(
      createRecord({ tokens: { input: 1, output: 1, reasoning: 0, source: 'client' } }),
    );
    expect(measured).not.toHaveProperty('inter_token_latency');
    expect(measured).not.toHaveProperty('output_token_throughput_per_user');
  });

  test('a failed request has only its input length', () => {
    expect(computeRequestMetrics(createFailedRecord())).toEqual({
      error_isl: { value: 100, unit: 'tokens' },
    });
  });
});
