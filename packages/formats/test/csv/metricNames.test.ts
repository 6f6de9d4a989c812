import { describe, expect, it } from 'vitest';
import {
  formatAiperfNameCell,
  formatNameCell,
  parseNameCell,
  toMetricName,
  toMetricTag,
} from '../../src/csv/metricNames.ts';

describe('toMetricName and toMetricTag', () => {
  it.each([
    ['request_latency', 'Request Latency'],
    ['time_to_first_token', 'Time to First Token'],
    ['e2e_output_token_throughput', 'E2E Output Token Throughput'],
    ['total_isl', 'Total Input Sequence Length'],
    ['http_req_dns_lookup', 'HTTP DNS Lookup'],
    ['effective_latency', 'Effective Latency (CO-aware)'],
    ['credit_to_start_latency', 'Credit-to-Start Latency'],
    ['adj_time_to_first_token', 'Time to First Token (error-adjusted)'],
    ['spec_decode_acceptance_length', 'Acceptance Length'],
    ['overall_usage_prompt_cache_read_pct', 'Overall Usage Prompt Cache Read %'],
    ['replay_sched_lag_p99', 'Replay Schedule Lag p99'],
    ['p99_of_it', 'P99 Of It'],
    ['__proto__', '__proto__'],
    ['constructor', 'Constructor'],
    ['Request Latency!', 'Request Latency!'],
    ['a__b', 'a__b'],
    ['', ''],
  ])('convert between the tag %j and the name %j', (tag, name) => {
    expect(toMetricName(tag)).toBe(name);
    expect(toMetricTag(name)).toBe(tag);
  });

  it('recognizes spellings of other AIPerf releases', () => {
    expect(toMetricTag('Usage Prompt Diff')).toBe('usage_prompt_tokens_diff_pct');
    expect(toMetricTag('Time To First Token')).toBe('time_to_first_token');
  });
});

describe('cells with name and unit', () => {
  it.each([
    ['request_latency', 'ms', 'Request Latency (ms)', 'Request Latency (ms)'],
    ['request_count', 'requests', 'Request Count', 'Request Count'],
    ['http_req_chunks_sent', 'count', 'HTTP Chunks Sent', 'HTTP Chunks Sent'],
    ['request_count', 'count', 'Request Count (count)', 'Request Count'],
    ['osl_mismatch_count', 'requests', 'OSL Mismatch Count', 'OSL Mismatch Count'],
    ['http_req_waiting', 'ms', 'HTTP Waiting (TTFB) (ms)', 'HTTP Waiting (TTFB) (ms)'],
    ['http_req_waiting', 'count', 'HTTP Waiting (TTFB) (count)', 'HTTP Waiting (TTFB)'],
    ['goodput', 'requests', 'Goodput (requests)', 'Goodput'],
    ['effective_concurrency', 'requests', 'Effective Concurrency', 'Effective Concurrency'],
    [
      'adj_decode_duration',
      'ms',
      'Decode Duration (error-adjusted) (ms)',
      'Decode Duration (error-adjusted) (ms)',
    ],
    ['custom', '', 'Custom ()', 'Custom'],
  ])('formats %s in %j as %j, and as %j in the layout of AIPerf', (tag, unit, cell, aiperfCell) => {
    expect(formatNameCell(tag, unit)).toBe(cell);
    expect(parseNameCell(cell)).toEqual({ tag, unit });
    expect(formatAiperfNameCell(tag, unit)).toBe(aiperfCell);
  });

  it('reads a name that ends with parentheses and has no unit', () => {
    expect(parseNameCell('Completed Requests (Success + Error)')).toEqual({
      tag: 'completed_request_count',
      unit: 'requests',
    });
  });
});
