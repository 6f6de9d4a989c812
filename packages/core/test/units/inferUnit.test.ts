import { describe, expect, it } from 'vitest';
import { inferUnit } from '../../src/units/inferUnit.ts';
import { HELP_SYMBOLS, LEGACY_SUFFIXES, SUFFIXES } from '../../src/units/unitTables.ts';

/** HELP texts and the unit that they determine, for any name; null if they determine no unit. */
const HELP: readonly (readonly [help: string, unit: string | null])[] = [
  // Scales take precedence
  ['KV-cache usage. 1 means 100 percent usage.', 'ratio'],
  ['Cache usage (1 is 100%)', 'ratio'],
  ['Usage, 1 equals 100 %', 'ratio'],
  ['Usage: 1.0 = 100 percent, in bytes', 'ratio'],
  ['Usage: 1 == 100%', 'ratio'],
  ['Hit rate (0-1)', 'ratio'],
  ['Hit rate (0.0-1.0)', 'ratio'],
  ['Hit rate (0 to 1)', 'ratio'],
  ['Hit rate, 0-1', 'ratio'],
  ['Hit rate 0.0–1.0', 'ratio'],
  ['Hit rate 0—1.', 'ratio'],
  ['GPU utilization rate [0.0 - 1.0)', 'ratio'],
  ['RANGE 0-1', 'ratio'],
  ['Load (0-100)', 'percent'],
  ['Load (0 to 100)', 'percent'],
  ['Load, range 0-100', 'percent'],
  ['Load, 0-100%', 'percent'],
  // Not scales
  ['Ports 10-15', null],
  ['Ranks 0-15', null],
  ['Ranks 0-100', null],
  ['Version 2.0-1', null],
  ['From 0-1,000 things', null],
  ['Between 0 and 1', null],
  ['21 means 100 percent', null],
  ['1 means 1000 percent', null],
  // Symbols are case-sensitive
  ['Memory used (in MiB).', 'megabytes'],
  ['Power (in mW)', 'milliwatt'],
  ['Energy (in MJ)', 'megajoule'],
  ['Energy (in mj)', null],
  ['GPU temperature (in C).', 'celsius'],
  ['Clock (in Foo), memory (in MHz)', 'megahertz'],
  ['Duration (in us)', 'microseconds'],
  // Words
  ['Histogram of e2e request latency in seconds.', 'seconds'],
  ['TIME IN SECONDS', 'seconds'],
  ['Delay (second)', 'seconds'],
  ['Delay in milliseconds', 'milliseconds'],
  ['Delay (ms)', 'milliseconds'],
  ['Delay in microseconds', 'microseconds'],
  ['Cumulative inference queuing duration in microseconds (includes cached requests)', 'microseconds'],
  ['Delay in nanoseconds', 'nanoseconds'],
  ['Size in bytes', 'bytes'],
  ['Size (Bytes)', 'bytes'],
  ['Speed (GB/s)', 'gb/s'],
  ['Speed in mb/s', 'mb/s'],
  ['The generation throughput (token/s)', 'tokens/s'],
  ['Throughput in tokens/sec', 'tokens/s'],
  ['Load (requests/second)', 'requests/s'],
  ['Length in tokens', 'tokens'],
  ['Length (tokens)', null],
  ['The mean of delay in secondsary systems', null],
  ['', null],
];

/** Names and the unit that they determine if the HELP text determines none; null if neither does. */
const NAMES: readonly (readonly [name: string, unit: string | null])[] = [
  ['vllm:e2e_request_latency_seconds', 'seconds'],
  ['gpu_memory_Used_BYTES', 'bytes'],
  ['vllm:request_success', 'requests'],
  ['nv_inference_request_success', 'requests'],
  ['vllm:num_requests_running', 'requests'],
  ['vllm:num_requests_waiting_by_reason', 'requests'],
  ['sglang:num_running_reqs', 'requests'],
  ['prompt_tokens_total', 'tokens'],
  ['vllm:generation_tokens', 'tokens'],
  ['trtllm_kv_transfer_speed_gb_s', 'gb/s'],
  ['nv_inference_request_duration_us', 'microseconds'],
  ['nv_inference_exec_count', 'count'],
  ['http_error_count_total', 'errors'],
  ['num_requests_total', 'requests'],
  ['num_requests_seconds', 'seconds'],
  ['decode_tokens_per_second', 'tokens/s'],
  ['iterations_per_second', '1/s'],
  ['gpu_cache_usage_percent', 'percent'],
  ['seconds', null],
  ['bonus', null],
  ['sglang:token_usage', null],
  ['container_memory_usage', null],
  ['cache_config_info', null],
  ['vllm:num_preemptions', null],
  ['', null],
];

describe('inferUnit', () => {
  it.each(HELP)('infers from HELP text %j: %s', (help, unit) => {
    expect(inferUnit('some_name', help)).toBe(unit);
    if (unit !== null) expect(inferUnit('some_name_blocks', help)).toBe(unit);
  });

  it.each(NAMES)('infers from name %s: %s', (name, unit) => {
    expect(inferUnit(name, 'A description.')).toBe(unit);
  });

  it.each([...SUFFIXES])('infers from the suffix %s: %s', (suffix, unit) => {
    expect(inferUnit(`x${suffix}`, '')).toBe(unit);
    expect(inferUnit(`a_bytes_ms_b${suffix}`, '')).toBe(unit);
  });

  it.each([...HELP_SYMBOLS])('infers from "(in %s)": %s', (symbol, unit) => {
    expect(inferUnit('x_total', `Some thing (in ${symbol}).`)).toBe(unit);
  });

  it.each([...LEGACY_SUFFIXES])('infers from the suffix %s in the legacy layout only: %s', (suffix, unit) => {
    expect(inferUnit(`x${suffix}`, '', { legacy: true })).toBe(unit);
    expect(inferUnit(`x${suffix}`, '')).toBeNull();
  });

  it('prefers a scale to a unit, and HELP text to the name', () => {
    expect(inferUnit('vllm:kv_cache_usage_perc', 'KV-cache usage. 1 means 100 percent usage.')).toBe('ratio');
    expect(inferUnit('x_seconds', 'Time (in ms), in bytes, 0-1')).toBe('ratio');
    expect(inferUnit('x_seconds', 'Time in bytes (in ms)')).toBe('milliseconds');
    expect(inferUnit('x_seconds', 'Time in bytes')).toBe('bytes');
  });

  it.each([
    ['seconds', 'seconds'],
    ['joules', 'joule'],
    ['Bytes', 'bytes'],
    ['pages', 'pages'],
    ['', 'bytes'],
    [undefined, 'bytes'],
  ])('normalizes declared unit %j: %s', (declaredUnit, unit) => {
    expect(inferUnit('size_bytes', 'Size in bytes', { declaredUnit })).toBe(unit);
  });
});
