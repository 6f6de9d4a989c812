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

const simulation = runUnderLoad({ kind: 'sglang' });
const families = readPages(simulation);
const completed = listCompleted(simulation);

test('has the documented families', () => {
  expectFamilies(
    families,
    'sglang:',
    `num_running_reqs num_queue_reqs token_usage cache_hit_rate gen_throughput prompt_tokens
     generation_tokens time_to_first_token_seconds inter_token_latency_seconds
     e2e_request_latency_seconds queue_time_seconds per_stage_req_latency_seconds`,
  );
});

test.skipIf(!hasShared)('has the types, labels and bounds of a real server', () => {
  const exceptions = /^dynamo_|spec_|swa_|mamba_|_prealloc|_transfer_|_inflight_queue|offline|engine_/;
  expectLikeReal(families, 'fixtures/exposition/dynamo-component-sglang.txt', exceptions);
});

test('counts completed and aborted requests separately', () => {
  const { requests } = simulation.getTruth();
  expect(readSampleValue(families, 'sglang:num_requests_total')).toBe(completed.length);
  expect(readSampleValue(families, 'sglang:num_aborted_requests_total')).toBe(
    requests.length - completed.length,
  );
  expect(readSampleValue(families, 'sglang:prompt_tokens_total')).toBe(
    completed.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
  );
});

test('updates throughput and token counters every 40 decode steps', () => {
  const values = [0, 1, 2].map(n => {
    // A decode step takes about 8 ms, so fewer than 40 steps run in 20 ms.
    simulation.advanceTo(simulation.nowNs + (n === 2 ? 2e9 : 2e7));
    return readSampleValue(readPages(simulation), 'sglang:realtime_tokens_total', { mode: 'decode' });
  });
  expect(values[2]).toBeGreaterThan(values[1]!);
  expect(values[1]! - values[0]!).toBeLessThan((values[2]! - values[1]!) / 10);
});

test('has series per engine only with several engines', () => {
  const listRanks = (engines: number): string[] => {
    const pages = readPages(runUnderLoad({ kind: 'sglang', engines }));
    return pages.get('sglang:num_running_reqs')!.samples.map(({ labels: { dp_rank } }) => dp_rank ?? 'none');
  };
  expect([listRanks(1), listRanks(2)]).toEqual([['none'], ['0', '1']]);
});
