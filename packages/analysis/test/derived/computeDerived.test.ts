import { builtInServers, toDefinition } from '@org/servers';
import { describe, expect, test } from 'vitest';
import { computeDerived, type DerivedValue } from '../../src/derived/computeDerived.ts';
import { createRun } from '../../src/run/run.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createHistogram,
  createMetric,
  healthyInfo,
  START_NS,
  URL_A,
  URL_B,
} from '../documents.ts';

type Metrics = Readonly<Record<string, object>>;
type Options = Parameters<typeof createCounter>[1];

const counter = (total: number, options?: Options): object =>
  createMetric('counter', [createCounter(total, options)]);
const gauge = (avg: number, labels = {}): object => createMetric('gauge', [createGauge(avg, { labels })]);
const histogram = (count: number, avg: number, unit?: string): object =>
  createMetric('histogram', [createHistogram(count, avg)], unit);

function compute(metrics: Metrics, { infos = {}, file = {}, summary = {} } = {}): readonly DerivedValue[] {
  const view = createDocument(metrics, { [URL_A]: healthyInfo, [URL_B]: healthyInfo, ...infos }, summary);
  const servers = builtInServers.with([
    toDefinition({ name: 'Mine', recognize: { prefixes: ['mine_'] }, ...file }),
  ]);
  return computeDerived(createRun({ name: 'a', layout: 'json', files: {}, view, servers }));
}

function find(
  values: readonly DerivedValue[],
  name: string,
  endpoint: string | null = 'localhost:8000',
): DerivedValue {
  const found = values.filter(value => value.name === name && value.endpoint === endpoint);
  expect(found, `${name} of ${endpoint}`).toHaveLength(1);
  return found[0]!;
}

const KV_LABELS = { num_gpu_blocks: '100', block_size: '16', kv_cache_size_tokens: '1600' };

/** Metrics, and the values that follow from them by hand. */
const VALUES: readonly [Metrics, string, number, { readonly isExact: boolean }][] = [
  [
    { 'vllm:prefix_cache_hits': counter(30), 'vllm:prefix_cache_queries': counter(120) },
    'prefix_cache_hit_rate',
    0.25,
    { isExact: true },
  ],
  [
    { 'vllm:gpu_prefix_cache_hits': counter(30), 'vllm:gpu_prefix_cache_queries': counter(40) },
    'prefix_cache_hit_rate',
    0.75,
    { isExact: true },
  ],
  [
    { trtllm_kv_cache_reused_blocks: counter(1), trtllm_kv_cache_missed_blocks: counter(3) },
    'prefix_cache_hit_rate',
    0.25,
    { isExact: true },
  ],
  [{ trtllm_kv_cache_hit_rate: gauge(0.4) }, 'prefix_cache_hit_rate', 0.4, { isExact: false }],
  [
    {
      'sglang:realtime_tokens': createMetric('counter', [
        createCounter(60, { labels: { mode: 'prefill_compute' } }),
        createCounter(20, { labels: { mode: 'prefill_cache' } }),
        createCounter(500, { labels: { mode: 'decode' } }),
      ]),
    },
    ...(['prefix_cache_hit_rate', 0.25, { isExact: true }] as const),
  ],
  [
    { 'vllm:external_prefix_cache_hits': counter(5), 'vllm:external_prefix_cache_queries': counter(50) },
    'external_cache_hit_rate',
    0.1,
    { isExact: true },
  ],
  [
    {
      dynamo_component_router_kv_selected_cached_prefix_tokens: counter(480),
      dynamo_component_router_input_sequence_tokens: histogram(4, 300),
    },
    ...(['router_cache_hit_rate', 0.4, { isExact: true }] as const),
  ],
  [
    {
      dynamo_component_router_kv_selected_cached_prefix_tokens: counter(480),
      dynamo_component_router_kv_best_eligible_cached_prefix_tokens: counter(600),
      dynamo_component_router_input_sequence_tokens: histogram(4, 300),
    },
    ...(['router_cache_hit_loss', 0.1, { isExact: true }] as const),
  ],
  [{ 'vllm:cache_config_info': gauge(1, KV_LABELS) }, 'kv_cache_size', 1600, { isExact: true }],
  [
    { 'vllm:cache_config_info': gauge(1, { num_gpu_blocks: '100', block_size: '32' }) },
    'kv_cache_size',
    3200,
    { isExact: true },
  ],
  [{ 'vllm:kv_cache_usage_perc': gauge(0.5) }, 'kv_cache_used', 0.5, { isExact: false }],
  [{ 'vllm:kv_cache_usage_perc': gauge(40) }, 'kv_cache_used', 0.4, { isExact: false }],
  [
    { 'vllm:kv_cache_usage_perc': gauge(0.5), 'vllm:cache_config_info': gauge(1, KV_LABELS) },
    'kv_cache_used_tokens',
    800,
    { isExact: false },
  ],
  [
    { trtllm_num_requests_running: gauge(3), trtllm_max_num_active_requests: gauge(12) },
    'batch_occupancy',
    0.25,
    { isExact: false },
  ],
  [
    { 'vllm:num_requests_running': gauge(3), dynamo_frontend_model_max_num_seqs: gauge(4) },
    'batch_occupancy',
    0.75,
    { isExact: false },
  ],
  [{ 'vllm:iteration_tokens_total': histogram(10, 128) }, 'tokens_per_step', 128, { isExact: true }],
  [
    {
      'vllm:prompt_tokens_by_source': createMetric('counter', [
        createCounter(100, { labels: { source: 'local_compute' } }),
        createCounter(900, { labels: { source: 'local_cache_hit' } }),
      ]),
      'vllm:generation_tokens': counter(300),
    },
    ...(['prefill_token_share', 0.25, { isExact: true }] as const),
  ],
  [
    {
      'vllm:request_prefill_time_seconds': histogram(10, 0.2, 'seconds'),
      'vllm:request_decode_time_seconds': histogram(10, 0.6, 'seconds'),
    },
    ...(['prefill_time_share', 0.25, { isExact: true }] as const),
  ],
  [
    {
      'vllm:spec_decode_num_draft_tokens': counter(200),
      'vllm:spec_decode_num_accepted_tokens': counter(120),
    },
    'spec_decode_acceptance_rate',
    0.6,
    { isExact: true },
  ],
  [
    { 'vllm:spec_decode_num_drafts': counter(50), 'vllm:spec_decode_num_accepted_tokens': counter(120) },
    'spec_decode_acceptance_length',
    3.4,
    { isExact: true },
  ],
  [{ 'sglang:spec_accept_length': gauge(2.5) }, 'spec_decode_acceptance_length', 2.5, { isExact: false }],
  [
    { 'vllm:num_preemptions': counter(6), 'vllm:request_success': counter(24) },
    'preemptions_per_request',
    0.25,
    { isExact: true },
  ],
  [
    { 'sglang:num_retracted_requests': counter(6), 'sglang:num_requests': counter(12) },
    'retractions_per_request',
    0.5,
    { isExact: true },
  ],
  [
    { 'vllm:nixl_bytes_transferred': histogram(10, 4000, 'bytes') },
    'kv_transfer_rate',
    2000,
    { isExact: true },
  ],
  [
    {
      'vllm:nixl_bytes_transferred': histogram(10, 4000, 'bytes'),
      'vllm:nixl_xfer_time_seconds': histogram(10, 0.5, 'seconds'),
    },
    'kv_transfer_bandwidth',
    8000,
    { isExact: true },
  ],
  [
    {
      'vllm:nixl_num_failed_transfers': counter(1),
      'vllm:nixl_xfer_time_seconds': histogram(3, 0.5, 'seconds'),
    },
    'kv_transfer_failure_share',
    0.25,
    { isExact: true },
  ],
  [{ 'vllm:estimated_flops_per_gpu': counter(4e13) }, 'gpu_operation_rate', 2e12, { isExact: true }],
  [
    {
      'vllm:estimated_read_bytes_per_gpu': counter(3e12),
      'vllm:estimated_write_bytes_per_gpu': counter(1e12),
    },
    'gpu_memory_rate',
    2e11,
    { isExact: true },
  ],
];

test.each(VALUES.map(([metrics, name, value, { isExact }]) => ({ name, value, isExact, metrics })))(
  '$name is $value',
  ({ metrics, name, value, isExact }) => {
    const found = find(compute(metrics), name);
    expect(found.value).toBeCloseTo(value, 12);
    expect([found.missing, found.isExact]).toEqual([undefined, isExact]);
  },
);

/** Metrics that do not support a value, and the reason. */
const MISSING: readonly [Metrics, string, string][] = [
  [
    { 'vllm:prefix_cache_hits': counter(30) },
    'prefix_cache_hit_rate',
    'needs cache_queries, which vLLM at localhost:8000 does not export',
  ],
  [
    { 'vllm:prefix_cache_hits': gauge(30), 'vllm:prefix_cache_queries': counter(40) },
    'prefix_cache_hit_rate',
    'vllm:prefix_cache_hits of localhost:8000 is a gauge, but cache_hits needs a counter',
  ],
  [
    { 'vllm:prefix_cache_hits': counter(0), 'vllm:prefix_cache_queries': counter(0) },
    'prefix_cache_hit_rate',
    'there is nothing to divide by: cache_queries is 0',
  ],
  [
    { 'vllm:spec_decode_num_drafts': counter(0), 'vllm:spec_decode_num_accepted_tokens': counter(0) },
    'spec_decode_acceptance_length',
    'there is nothing to divide by: spec_drafts is 0',
  ],
  [
    { 'sglang:spec_accept_length': gauge(0) },
    'spec_decode_acceptance_length',
    'needs spec_accepted_tokens, which SGLang at localhost:8000 does not export',
  ],
  [
    { 'vllm:cache_config_info': gauge(1, { num_gpu_blocks: 'None', block_size: '16' }) },
    'kv_cache_size',
    'vllm:cache_config_info of localhost:8000 has no value',
  ],
  [
    { 'vllm:num_requests_running': gauge(3) },
    'batch_occupancy',
    'needs max_running, which vLLM at localhost:8000 does not export',
  ],
  [
    { 'vllm:prompt_tokens_by_source': counter(10), 'vllm:generation_tokens': counter(1) },
    'prefill_token_share',
    'needs computed_prompt_tokens, which vLLM at localhost:8000 does not export',
  ],
  [
    { 'vllm:estimated_flops_per_gpu': counter(4e13) },
    'model_flops_utilization',
    'needs gpu_peak_operations, which can be set in a file of --servers',
  ],
  [
    { 'vllm:num_preemptions': counter(6, { stats: { decreases: 3 } }), 'vllm:request_success': counter(24) },
    'preemptions_per_request',
    'vllm:num_preemptions of localhost:8000 behaves like a gauge; its increase is unknown',
  ],
  [
    { 'vllm:generation_tokens': counter(10) },
    'output_token_imbalance',
    'needs at least two replicas or ranks',
  ],
];

test.each(MISSING.map(([metrics, name, reason]) => ({ name, reason, metrics })))(
  '$name is unknown: $reason',
  ({ metrics, name, reason }) => {
    expect(find(compute(metrics), name)).toMatchObject({ value: undefined, missing: reason, slices: [] });
  },
);

test('a counter that was reset counts across the reset', () => {
  const hits = counter(10, { stats: { resets: 1, increase: 60, increase_rate: 3 } });
  const metrics = { 'vllm:prefix_cache_hits': hits, 'vllm:prefix_cache_queries': counter(120) };
  expect(find(compute(metrics), 'prefix_cache_hit_rate').value).toBe(0.5);
});

describe('two replicas', () => {
  const both = (...totals: readonly [number, number]): object =>
    createMetric('counter', [createCounter(totals[0]), createCounter(totals[1], { url: URL_B })]);
  const values = compute({
    'vllm:prefix_cache_hits': both(90, 10),
    'vllm:prefix_cache_queries': both(100, 900),
    'vllm:generation_tokens': both(300, 100),
    'vllm:kv_cache_usage_perc': createMetric('gauge', [createGauge(0.2), createGauge(0.6, { url: URL_B })]),
  });

  test.each([
    ['localhost:8000', 0.9],
    ['down:1', 10 / 900],
  ])('%s has its own hit rate', (endpoint, value) => {
    expect(find(values, 'prefix_cache_hit_rate', endpoint).value).toBeCloseTo(value, 12);
  });

  test('have the sum of hits divided by the sum of queries, not the mean of rates', () => {
    expect(find(values, 'prefix_cache_hit_rate', null)).toMatchObject({ value: 0.1, isExact: false });
  });

  test('have an imbalance that is the maximum divided by the median', () => {
    expect(find(values, 'output_token_imbalance', null).value).toBe(1.5);
    expect(find(values, 'output_token_imbalance').missing).toBe('needs at least two replicas or ranks');
  });

  test('have no share of the KV cache together, because their sizes are unknown', () => {
    expect(find(values, 'kv_cache_used', null).missing).toBe(
      'shares and quotients of several endpoints are not combined',
    );
  });
});

test('the ranks of one endpoint are compared with each other', () => {
  const ranks = (
    name: string,
    of: readonly number[],
    create: typeof createGauge | typeof createCounter,
  ): object =>
    createMetric(
      name,
      of.map((value, i) => create(value, { labels: { engine: String(i) } })),
    );
  const values = compute({
    'vllm:num_requests_running': ranks('gauge', [2, 4, 12], createGauge),
    'vllm:estimated_flops_per_gpu': ranks('counter', [20e12, 40e12, 60e12], createCounter),
  });
  expect(find(values, 'running_imbalance').value).toBe(3);
  // The counters are estimates for one GPU of each rank.
  expect(find(values, 'gpu_operation_rate').value).toBe(2e12);
});

test('workers of different components are not compared', () => {
  const values = compute({
    dynamo_component_requests: createMetric('counter', [
      createCounter(5, { labels: { dynamo_component: 'prefill' } }),
      createCounter(5, { labels: { dynamo_component: 'backend' }, url: URL_B }),
    ]),
    'vllm:generation_tokens': createMetric('counter', [createCounter(1), createCounter(300, { url: URL_B })]),
  });
  expect(values.filter(value => value.name === 'output_token_imbalance' && value.endpoint === null)).toEqual(
    [],
  );
});

test('slices are quotients of their own increases, weighted by the divisor', () => {
  const values = compute({
    'vllm:prefix_cache_hits': counter(12, { slices: [1, 2, 3] }),
    'vllm:prefix_cache_queries': counter(48, { slices: [4, 0, 20] }),
  });
  const { value, slices } = find(values, 'prefix_cache_hit_rate');
  expect(value).toBe(0.25);
  expect(slices.map(slice => [slice.startNs - START_NS, slice.value, slice.weight])).toEqual([
    [0n, 0.25, 8],
    [4_000_000_000n, 0.15, 40],
  ]);
});

test('a rate of a server that died is unknown, but its quotients are known', () => {
  const metrics = {
    'vllm:nixl_bytes_transferred': histogram(10, 4000, 'bytes'),
    'vllm:nixl_xfer_time_seconds': histogram(10, 0.5, 'seconds'),
  };
  const dead = {
    ...healthyInfo,
    status: 'failing',
    total_fetches: 21,
    last_fetch_ns: START_NS + 7_000_000_000n,
    last_failure_ns: START_NS + 20_000_000_000n,
    scrapes_failed: 39,
    last_error: 'refused the connection',
    outages: [
      {
        start_ns: START_NS + 8_000_000_000n,
        scrapes: 39,
        reason: 'refused',
        message: 'refused the connection',
      },
    ],
  };
  const values = compute(metrics, { infos: { [URL_A]: dead } });
  expect(find(values, 'kv_transfer_bandwidth').value).toBe(8000);
  expect(find(values, 'kv_transfer_rate').missing).toMatch(/^the rate is not that of the run: /);
});

describe('a file of --servers', () => {
  const metrics = { 'vllm:estimated_flops_per_gpu': counter(4e13), 'vllm:generation_tokens': counter(50) };
  const tokens = {
    name: 'tokens_per_operation',
    formula: 'output_tokens / gpu_operations',
    unit: 'tokens/operations',
    meaning: 'Efficiency.',
  };

  test('adds formulas', () => {
    expect(find(compute(metrics, { file: { formulas: [tokens] } }), 'tokens_per_operation').value).toBe(
      50 / 4e13,
    );
  });

  test('replaces a formula with the same name', () => {
    const file = { formulas: [{ ...tokens, name: 'gpu_operation_rate' }] };
    expect(find(compute(metrics, { file }), 'gpu_operation_rate').value).toBe(50 / 4e13);
  });

  test('sets the peak of the GPU', () => {
    const file = { constants: { gpu_peak_operations: 1e13 } };
    expect(find(compute(metrics, { file }), 'model_flops_utilization').value).toBe(0.2);
  });
});

test('a label selects the series of a role', () => {
  const formula = {
    name: 'answers',
    formula: 'completed_requests{finished_reason="stop"} / completed_requests',
    unit: 'ratio',
    meaning: 'Share.',
  };
  const requests = createMetric('counter', [
    createCounter(30, { labels: { finished_reason: 'stop' } }),
    createCounter(10, { labels: { finished_reason: 'length' } }),
  ]);
  const values = compute({ 'vllm:request_success': requests }, { file: { formulas: [formula] } });
  expect(find(values, 'answers').value).toBe(0.75);
});
