import { expect, test } from 'vitest';
import { readSampleValue } from '../../support/exposition.ts';
import { readPages, runUnderLoad } from '../../support/profiles.ts';

const simulation = runUnderLoad({ kind: 'dynamo', dynamoRouter: 'kv', engines: 2 });
const families = readPages(simulation);
const { requests } = simulation.getTruth();

test('every request is admitted, and none waits in the router', () => {
  const open = simulation.engines.reduce((sum, { running, waiting }) => sum + running + waiting, 0);
  const arrived = requests.length + open;
  expect(readSampleValue(families, 'dynamo_frontend_router_admission_received_total')).toBe(arrived);
  expect(readSampleValue(families, 'dynamo_component_router_requests_started_total')).toBe(arrived);
  expect(readSampleValue(families, 'dynamo_component_router_requests_total')).toBe(requests.length);
  expect(readSampleValue(families, 'dynamo_frontend_router_queue_pending_requests')).toBe(0);
});

test('the router counts the prompt tokens that the engines find in their caches', () => {
  const reused = readSampleValue(families, 'dynamo_component_router_kv_worker_reused_tokens_total');
  const hits = families
    .get('vllm:prefix_cache_hits_total')!
    .samples.reduce((sum, { value }) => sum + value, 0);
  expect(reused).toBe(hits);
  expect(reused).toBeGreaterThan(0);
});

test('shows the load of each rank', () => {
  const ranks = families.get('dynamo_frontend_worker_active_decode_blocks')!.samples;
  expect(ranks.map(({ labels }) => labels.dp_rank)).toEqual(['0', '1']);
  expect(ranks.map(({ value }) => value)).toEqual(simulation.engines.map(({ pool }) => pool.used));
});

test('routing in turn observes neither hit rates nor overhead', () => {
  const inTurn = readPages(runUnderLoad({ kind: 'dynamo' }));
  for (const name of ['dynamo_component_router_kv_hit_rate', 'dynamo_router_overhead_total_ms'])
    expect(readSampleValue(inTurn, `${name}_count`), name).toBe(0);
  expect(readSampleValue(families, 'dynamo_router_overhead_total_ms_count')).toBeGreaterThan(0);
});
