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

const simulation = runUnderLoad({ kind: 'dynamo', model: 'Org/Model', engines: 2 });
const families = readPages(simulation);
const completed = listCompleted(simulation);

test('has the documented families', () => {
  expectFamilies(
    families,
    'dynamo_',
    `frontend_active_requests frontend_inflight_requests frontend_queued_requests
     frontend_request_duration_seconds frontend_time_to_first_token_seconds
     frontend_inter_token_latency_seconds frontend_requests frontend_output_tokens
     frontend_input_sequence_tokens frontend_output_sequence_tokens component_requests
     component_request_duration_seconds component_inflight_requests
     component_gpu_cache_usage_percent`,
  );
});

test.skipIf(!hasShared)('has the types, labels and bounds of a real worker', () => {
  const worker = readPages(runUnderLoad({ kind: 'dynamo', maxModelLen: 40960, kvBlocks: 2600 }));
  expectLikeReal(worker, 'dynamo-component-vllm.txt', /^lmcache:|prefix_cache_hit_rate/);
});

test('serves the frontend and the worker on two ports', () => {
  expect(simulation.pages.map(({ name, port, path }) => [name, port, path])).toEqual([
    ['frontend', 'main', '/metrics'],
    ['component', 'side', '/metrics'],
  ]);
});

test('the page of the worker ends with the metrics of vLLM', () => {
  const { body } = simulation.getPage('component').read('');
  expect(body.lastIndexOf('# TYPE dynamo_component_')).toBeLessThan(body.indexOf('# TYPE vllm:'));
  const counts = families
    .get('vllm:e2e_request_latency_seconds')!
    .samples.filter(({ name }) => name.endsWith('_count'));
  expect(counts.map(({ labels }) => labels.engine)).toEqual(['0', '1']);
  expect(counts.reduce((sum, { value }) => sum + value, 0)).toBe(completed.length);
});

test('the worker counts all ended requests of its engines', () => {
  const { requests } = simulation.getTruth();
  const labels = { dynamo_endpoint: 'generate' };
  expect(readSampleValue(families, 'dynamo_component_requests_total', labels)).toBe(requests.length);
  expect(readSampleValue(families, 'dynamo_component_inflight_requests', labels)).toBe(
    simulation.engines.reduce((sum, { running, waiting }) => sum + running + waiting, 0),
  );
  expect(readSampleValue(families, 'dynamo_component_kvstats_total_blocks')).toBe(
    simulation.engines.reduce((sum, { pool }) => sum + pool.total, 0),
  );
});
