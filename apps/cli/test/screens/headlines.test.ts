import type { Layout } from '@org/core';
import { expect, test } from 'vitest';
import { Headlines } from '../../src/screens/headlines.ts';

type Gauges = readonly (readonly [name: string, value: number])[];

/** An endpoint with these gauges, of which a live line reads nothing but layout and latest values. */
function endpoint(gauges: Gauges): { layout: Layout; latest: Float64Array } {
  const series = gauges.map(([name], value) => ({ kind: 'scalar', family: { name }, labels: {}, value }));
  return {
    layout: { series } as unknown as Layout,
    latest: Float64Array.from(gauges, ([, value]) => value),
  };
}

const running = 'vllm:num_requests_running';
const cache = 'vllm:kv_cache_usage_perc';
const sglang = 'sglang:num_running_reqs';

test.each<[string, readonly Gauges[], string]>([
  ['nothing', [], ''],
  ['unknown metrics', [[['up', 1]]], ''],
  [
    'sums of requests over engines and endpoints',
    [
      [
        [running, 3],
        [running, 4],
      ],
      [[running, 5]],
    ],
    'running 12',
  ],
  [
    'the maximum of ratios',
    [
      [
        [cache, 0.4],
        [cache, 0.7],
      ],
      [[cache, 0.1]],
    ],
    'KV cache 0.7',
  ],
  [
    'the maximum over several GPUs',
    [
      [
        ['nv_gpu_utilization', 0.5],
        ['nv_gpu_utilization', 0.75],
      ],
    ],
    'GPU 0.75',
  ],
  [
    'missing values',
    [
      [
        [running, Number.NaN],
        [running, 4],
        [cache, Number.NaN],
      ],
    ],
    'running 4',
  ],
  [
    'several kinds of servers separately',
    [
      [
        [running, 3],
        [cache, 0.5],
      ],
      [[sglang, 4]],
      [[running, 1]],
    ],
    'vLLM: running 4, KV cache 0.5; SGLang: running 4',
  ],
])('%s', (_, endpoints, text) => {
  expect(new Headlines().format(endpoints.map(endpoint))).toBe(text);
});

test('returns an empty text for an endpoint without a scrape', () => {
  const { layout } = endpoint([[running, 3]]);
  expect(new Headlines().format([{ layout, latest: undefined }])).toBe('');
});
