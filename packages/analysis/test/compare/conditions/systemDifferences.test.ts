import { expect, test } from 'vitest';
import { listSystemDifferences } from '../../../src/compare/conditions/systemDifferences.ts';
import { createGauge, createMetric, URL_A, URL_B } from '../../documents.ts';
import { createTestRun, type Metrics } from '../runs.ts';

const VLLM = { 'vllm:num_requests_running': createMetric('gauge', [createGauge(1)]) };
const SGLANG = { 'sglang:num_running_reqs': createMetric('gauge', [createGauge(1)]) };

/** Creates an info metric of vLLM with these labels. */
function createInfo(labels: Readonly<Record<string, string>>): Metrics {
  return { ...VLLM, 'vllm:cache_config_info': createMetric('gauge', [createGauge(1, { labels })]) };
}

test.each<readonly [string, Metrics, Metrics, readonly object[]]>([
  [
    'kinds of servers',
    VLLM,
    SGLANG,
    [{ topic: 'servers', option: 'servers', base: ['vLLM'], new: ['SGLang'] }],
  ],
  [
    'settings in labels of info metrics',
    createInfo({ block_size: '16' }),
    createInfo({ block_size: '32' }),
    [{ topic: 'server settings', option: 'cache_config block_size', base: ['16'], new: ['32'] }],
  ],
  [
    'versions in labels of info metrics',
    createInfo({ version: '0.28' }),
    createInfo({ version: '0.29' }),
    [{ topic: 'versions', option: 'cache_config version', base: ['0.28'], new: ['0.29'] }],
  ],
])('lists different %s', (_, base, other, expected) => {
  const found = listSystemDifferences([createTestRun(base)], [createTestRun(other)]);
  expect(found).toEqual(expected.map(each => ({ unit: null, ...each })));
});

test.each<readonly [string, Metrics, Metrics]>([
  ['equal servers', createInfo({ block_size: '16' }), createInfo({ block_size: '16' })],
  ['settings that one side does not record', VLLM, createInfo({ block_size: '16' })],
  [
    'labels that name a process, and the number of blocks, which the server measures',
    createInfo({ pid: '1', engine: '0', num_gpu_blocks: '100' }),
    createInfo({ pid: '2', engine: '1', num_gpu_blocks: '104' }),
  ],
  ['hardware without GPU telemetry', VLLM, VLLM],
])('does not list %s', (_, base, other) => {
  expect(listSystemDifferences([createTestRun(base)], [createTestRun(other)])).toEqual([]);
});

test('lists a different number of endpoints', () => {
  const found = listSystemDifferences([createTestRun(VLLM)], [createTestRun(VLLM, [URL_A, URL_B])]);
  expect(found).toEqual([{ topic: 'servers', option: 'endpoints', unit: null, base: ['1'], new: ['2'] }]);
});

test('lists different GPUs with their number', () => {
  const createGpus = (model: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      index,
      uuid: String(index),
      model,
      source: 'a',
      timesNs: [],
      values: new Map(),
    }));
  const base = { ...createTestRun(VLLM), gpus: createGpus('H100', 2) };
  const other = { ...createTestRun(VLLM), gpus: createGpus('H200', 1) };
  expect(listSystemDifferences([base], [other])).toEqual([
    { topic: 'hardware', option: 'GPUs', unit: null, base: ['2 × H100'], new: ['1 × H200'] },
  ]);
});
