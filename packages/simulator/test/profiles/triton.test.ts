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

const simulation = runUnderLoad({ kind: 'triton' });
const families = readPages(simulation);
const completed = listCompleted(simulation);

test('has the documented families', () => {
  expectFamilies(
    families,
    'nv_',
    `inference_request_success inference_request_failure inference_count inference_exec_count
     inference_pending_request_count inference_request_duration_us inference_queue_duration_us
     inference_first_response_histogram_ms gpu_utilization gpu_memory_used_bytes
     cache_num_hits_per_model cache_num_misses_per_model`,
  );
});

test.skipIf(!hasShared).each([
  ['triton-summaries.txt', /nv_cache_|compute_(input|output)_summary/],
  ['triton-tensorrtllm.txt', /runtime_memory|inflight_batcher|disaggregated/],
])('has the types, labels and bounds of %s', (file, except) => {
  expectLikeReal(families, `fixtures/exposition/${file}`, except);
});

test('counts successful and cancelled requests without the suffix _total', () => {
  const { requests } = simulation.getTruth();
  expect(readSampleValue(families, 'nv_inference_request_success')).toBe(completed.length);
  expect(readSampleValue(families, 'nv_inference_request_failure', { reason: 'CANCELED' })).toBe(
    requests.length - completed.length,
  );
});

test('adds up durations in whole microseconds', () => {
  const sum = completed.reduce((total, request) => {
    return total + Math.floor((request.finishNs - request.arrivalNs) / 1e3);
  }, 0);
  expect(readSampleValue(families, 'nv_inference_request_duration_us')).toBe(sum);
  expect(readSampleValue(families, 'nv_inference_request_summary_us_sum')).toBe(sum);
});

test('the mean power of a GPU, its energy divided by the time, is between 90 W and 650 W', () => {
  const seconds = simulation.nowNs / 1e9;
  const joules = readSampleValue(families, 'nv_energy_consumption');
  expect(joules).toBeGreaterThan(90 * seconds);
  expect(joules).toBeLessThan(650 * seconds);
});

test('each block of the cache is either used or free', () => {
  const read = (type: string): number =>
    readSampleValue(families, 'nv_trt_llm_kv_cache_block_metrics', { kv_cache_block_type: type });
  expect(read('max')).toBe(simulation.engines[0]!.pool.total);
  expect(read('used') + read('free')).toBe(read('max'));
  expect(read('fraction')).toBeCloseTo(read('used') / read('max'), 12);
});
