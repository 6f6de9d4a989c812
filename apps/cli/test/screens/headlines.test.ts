import type { Layout } from '@org/core';
import { builtInServers } from '@org/servers';
import { expect, test } from 'vitest';
import { HeadlineFormatter } from '../../src/screens/headlines.ts';

type Gauges = readonly (readonly [name: string, value: number, labels?: Readonly<Record<string, string>>])[];

/** Creates the layout and latest values of an endpoint with gauges. */
function createEndpoint(gauges: Gauges): { layout: Layout; latest: Float64Array } {
  const series = gauges.map(([name, , labels = {}], value) => ({
    kind: 'scalar',
    family: { name },
    labels: Object.entries(labels),
    value,
  }));
  return {
    layout: { series } as unknown as Layout,
    latest: Float64Array.from(gauges, ([, value]) => value),
  };
}

const RUNNING = 'vllm:num_requests_running';
const CACHE = 'vllm:kv_cache_usage_perc';
const SGLANG_RUNNING = 'sglang:num_running_reqs';

test.each<[string, readonly Gauges[], string]>([
  ['no endpoints as an empty text', [], ''],
  ['unknown metrics as an empty text', [[['up', 1]]], ''],
  [
    'sums of requests over engines and endpoints',
    [
      [
        [RUNNING, 3],
        [RUNNING, 4],
      ],
      [[RUNNING, 5]],
    ],
    'running 12',
  ],
  [
    'the maximum of ratios',
    [
      [
        [CACHE, 0.4],
        [CACHE, 0.7],
      ],
      [[CACHE, 0.1]],
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
    'only values that are present',
    [
      [
        [RUNNING, Number.NaN],
        [RUNNING, 4],
        [CACHE, Number.NaN],
      ],
    ],
    'running 4',
  ],
  [
    'the requests of all priorities once, which SGLang also reports by priority',
    [
      [
        [SGLANG_RUNNING, 10, { priority: '' }],
        [SGLANG_RUNNING, 7, { priority: '0' }],
        [SGLANG_RUNNING, 3, { priority: '5' }],
      ],
    ],
    'running 10',
  ],
  [
    'the requests of an engine once, which every tensor-parallel rank reports, and those of each data-parallel rank',
    [
      [
        [SGLANG_RUNNING, 4, { tp_rank: '0', dp_rank: '0' }],
        [SGLANG_RUNNING, 4, { tp_rank: '1', dp_rank: '0' }],
        [SGLANG_RUNNING, 6, { tp_rank: '0', dp_rank: '1' }],
      ],
    ],
    'running 10',
  ],
  [
    'several kinds of servers separately',
    [
      [
        [RUNNING, 3],
        [CACHE, 0.5],
      ],
      [[SGLANG_RUNNING, 4]],
      [[RUNNING, 1]],
    ],
    'vLLM: running 4, KV cache 0.5; SGLang: running 4',
  ],
])('formats %s', (_, endpoints, text) => {
  expect(new HeadlineFormatter(builtInServers).format(endpoints.map(createEndpoint))).toBe(text);
});

test('returns an empty text for an endpoint without a scrape', () => {
  const { layout } = createEndpoint([[RUNNING, 3]]);
  expect(new HeadlineFormatter(builtInServers).format([{ layout, latest: undefined }])).toBe('');
});
