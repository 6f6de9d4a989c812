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

const simulation = runUnderLoad({ kind: 'trtllm', engines: 2 });
const families = readPages(simulation);
const completed = listCompleted(simulation);

test('has the documented families', () => {
  expectFamilies(
    families,
    'trtllm_',
    `time_to_first_token_seconds e2e_request_latency_seconds time_per_output_token_seconds
     request_queue_time_seconds request_prefill_time_seconds request_decode_time_seconds
     request_inference_time_seconds request_success prompt_tokens generation_tokens
     num_requests_running num_requests_waiting kv_cache_utilization kv_cache_hit_rate`,
  );
});

test.skipIf(!hasShared)('has the types, labels and bounds of a real server', () => {
  expectLikeReal(families, 'fixtures/exposition/dynamo-component-trtllm.txt', /^dynamo_/);
});

test('has one series that sums the values of all engines', () => {
  const sum = simulation.engines.reduce((total, { running }) => total + running, 0);
  expect(families.get('trtllm_num_requests_running')!.samples.map(({ value }) => value)).toEqual([sum]);
});

test('counts requests when they have completed', () => {
  expect(readSampleValue(families, 'trtllm_e2e_request_latency_seconds_count')).toBe(completed.length);
  expect(readSampleValue(families, 'trtllm_generation_tokens_total')).toBe(
    completed.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  );
});

test('the hit rate is the ratio of reused blocks to all blocks looked up', () => {
  const [reused, missed] = ['reused', 'missed'].map(kind =>
    readSampleValue(families, `trtllm_kv_cache_${kind}_blocks_total`),
  );
  expect(reused).toBeGreaterThan(0);
  expect(readSampleValue(families, 'trtllm_kv_cache_hit_rate')).toBeCloseTo(
    reused! / (reused! + missed!),
    12,
  );
});

test.each([
  [{ json: true, jsonContentType: true, exposition: true }, ['iterations', 'prometheus']],
  [{ json: false, jsonContentType: true, exposition: true }, ['prometheus']],
  [{ json: false, jsonContentType: true, exposition: false }, []],
])('the option %j selects the pages %j', (trtllm, pages) => {
  expect(runUnderLoad({ kind: 'trtllm', trtllm }).pages.map(({ name }) => name)).toEqual(pages);
});
