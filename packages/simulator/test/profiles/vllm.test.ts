import { expect, test } from 'vitest';
import { readSampleValue } from '../support/exposition.ts';
import {
  expectFamilies,
  expectLikeReal,
  listCompleted,
  readPages,
  runUnderLoad,
} from '../support/profiles.ts';
import { hasShared } from '../support/shared.ts';

const simulation = runUnderLoad({ kind: 'vllm' });
const families = readPages(simulation);
const { requests } = simulation.getTruth();
const completed = listCompleted(simulation);

test('has the documented families', () => {
  expectFamilies(
    families,
    'vllm:',
    `num_requests_running num_requests_waiting num_requests_waiting_by_reason engine_sleep_state
     kv_cache_usage_perc num_preemptions prefix_cache_hits prefix_cache_queries
     external_prefix_cache_hits external_prefix_cache_queries mm_cache_hits mm_cache_queries
     time_to_first_token_seconds e2e_request_latency_seconds inter_token_latency_seconds
     request_queue_time_seconds request_prefill_time_seconds request_decode_time_seconds
     request_prefill_kv_computed_tokens request_success prompt_tokens prompt_tokens_by_source
     prompt_tokens_cached generation_tokens`,
  );
});

test.skipIf(!hasShared)('has the types, labels and bounds of a real server', () => {
  // Background traffic has no HTTP requests.
  const exceptions = /^http_/;
  const shortContext = readPages(runUnderLoad({ kind: 'vllm', maxModelLen: 2048, kvCacheMetrics: true }));
  expectLikeReal(shortContext, 'peers/vllm-0.29.0/base-after.prom', exceptions);
});

test('counts requests by finish reason', () => {
  for (const reason of ['stop', 'length', 'abort']) {
    const count = requests.filter(({ finishReason }) => finishReason === reason).length;
    const labels = { finished_reason: reason };
    expect(readSampleValue(families, 'vllm:request_success_total', labels), reason).toBe(count);
  }
});

test('observes the durations of completed requests only', () => {
  expect(readSampleValue(families, 'vllm:e2e_request_latency_seconds_count')).toBe(completed.length);
  expect(readSampleValue(families, 'vllm:request_queue_time_seconds_sum')).toBeCloseTo(
    completed.reduce((sum, { scheduledNs, queuedNs }) => sum + (scheduledNs - queuedNs) / 1e9, 0),
    6,
  );
});

test('counts each prompt token as either computed or cached', () => {
  const read = (source: string): number =>
    readSampleValue(families, 'vllm:prompt_tokens_by_source_total', { source });
  expect(read('local_cache_hit')).toBeGreaterThan(0);
  expect(read('local_compute') + read('local_cache_hit')).toBe(
    readSampleValue(families, 'vllm:prompt_tokens_total'),
  );
});

test('shows the state of the engine at the end of its last step', () => {
  const engine = simulation.engines[0]!;
  const state = { running: 0, kvUsage: 0 };
  engine.observe({
    onStep: () => Object.assign(state, { running: engine.running, kvUsage: engine.kvUsage }),
  });
  simulation.advanceTo(simulation.nowNs + 1e9);
  const laterFamilies = readPages(simulation);
  expect(readSampleValue(laterFamilies, 'vllm:num_requests_running')).toBe(state.running);
  expect(readSampleValue(laterFamilies, 'vllm:kv_cache_usage_perc')).toBe(state.kvUsage);
  expect(readSampleValue(laterFamilies, 'vllm:num_preemptions_total')).toBeGreaterThan(0);
});

test('exports the time that blocks stay in the KV cache only if it is chosen', () => {
  expect([...families.keys()].filter(name => name.includes('kv_block'))).toEqual([]);
  const small = { kvBlocks: 520, kvCacheMetrics: true };
  const pages = readPages(runUnderLoad({ kind: 'vllm', ...small }));
  const read = (name: string): number => readSampleValue(pages, `vllm:kv_block_${name}`)!;
  const evictions = read('lifetime_seconds_count');
  expect(evictions).toBeGreaterThan(0);
  expect(read('idle_before_evict_seconds_count')).toBe(evictions);
  expect(read('idle_before_evict_seconds_sum')).toBeLessThanOrEqual(read('lifetime_seconds_sum'));
});
