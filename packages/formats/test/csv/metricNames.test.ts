import { describe, expect, it } from 'vitest';
import { aiperfNameCell, metricName, metricTag, nameCell, tagAndUnit } from '../../src/csv/metricNames.ts';

describe('names of metrics', () => {
  it.each([
    ['request_latency', 'Request Latency'],
    ['time_to_first_token', 'Time to First Token'],
    ['e2e_output_token_throughput', 'E2E Output Token Throughput'],
    ['total_isl', 'Total Input Sequence Length'],
    ['http_req_dns_lookup', 'HTTP DNS Lookup'],
    ['p99_of_it', 'P99 Of It'],
    ['__proto__', '__proto__'],
    ['constructor', 'Constructor'],
    ['Request Latency!', 'Request Latency!'],
    ['a__b', 'a__b'],
    ['', ''],
  ])('%j is %j, and back', (tag, name) => {
    expect(metricName(tag)).toBe(name);
    expect(metricTag(name)).toBe(tag);
  });

  it('knows other spellings of AIPerf', () => {
    expect(metricTag('Usage Prompt Diff')).toBe('usage_prompt_tokens_diff_pct');
    expect(metricTag('Time To First Token')).toBe('time_to_first_token');
  });
});

describe('names with their units', () => {
  it.each([
    ['request_latency', 'ms', 'Request Latency (ms)', 'Request Latency (ms)'],
    ['request_count', 'requests', 'Request Count', 'Request Count'],
    ['http_req_chunks_sent', 'count', 'HTTP Chunks Sent', 'HTTP Chunks Sent'],
    ['request_count', 'count', 'Request Count (count)', 'Request Count'],
    ['osl_mismatch_count', 'requests', 'OSL Mismatch Count', 'OSL Mismatch Count'],
    ['http_req_waiting', 'ms', 'HTTP Waiting (TTFB) (ms)', 'HTTP Waiting (TTFB) (ms)'],
    ['http_req_waiting', 'count', 'HTTP Waiting (TTFB) (count)', 'HTTP Waiting (TTFB)'],
    ['goodput', 'requests', 'Goodput (requests)', 'Goodput'],
    ['custom', '', 'Custom ()', 'Custom'],
  ])('%s in %j is %j here and %j in AIPerf', (tag, unit, ours, aiperf) => {
    expect(nameCell(tag, unit)).toBe(ours);
    expect(tagAndUnit(ours)).toEqual({ tag, unit });
    expect(aiperfNameCell(tag, unit)).toBe(aiperf);
  });
});
