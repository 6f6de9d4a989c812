import { expect, test } from 'vitest';
import { createCounter, createGauge, createHistogram, createMetric } from '../documents.ts';
import { createGauges, findById, type Metrics } from './runs.ts';

/** Queue length in each slice, for a growing queue. */
const RISING = [1, 2, 4, 8, 12, 20];

test.each<[string, Metrics, RegExp]>([
  [
    'growing-queue',
    createGauges({ 'vllm:num_requests_waiting': createGauge(0.5, { slices: RISING }) }),
    /1\.5 waiting in the first third of the run, 16 in the last/,
  ],
  [
    'growing-queue',
    createGauges({ 'sglang:num_queue_reqs': createGauge(0.5, { slices: RISING }) }),
    /16 in the last/,
  ],
  [
    'growing-queue',
    createGauges({ dynamo_frontend_router_queue_pending_requests: createGauge(0.5, { slices: RISING }) }),
    /16 in the last/,
  ],
  [
    'growing-queue',
    createGauges({ trtllm_num_requests_waiting: createGauge(0.5, { slices: RISING }) }),
    /16 in the last/,
  ],
  [
    'growing-queue',
    createGauges({ nv_inference_pending_request_count: createGauge(0.5, { slices: RISING }) }),
    /16 in the last/,
  ],
  [
    'server-bottleneck',
    createGauges({
      'vllm:num_requests_waiting': createGauge(30),
      'vllm:num_requests_running': createGauge(40),
    }),
    /^30 waiting on average, 40 running$/,
  ],
  [
    'server-bottleneck',
    createGauges({ nv_inference_pending_request_count: createGauge(30) }),
    /^30 waiting on average$/,
  ],
  [
    'full-kv-cache',
    createGauges({ 'vllm:kv_cache_usage_perc': createGauge(0.8, { max: 0.97 }) }),
    /up to 97%, 80% on average/,
  ],
  ['full-kv-cache', createGauges({ 'sglang:token_usage': createGauge(0.8, { max: 0.91 }) }), /up to 91%/],
  [
    'full-kv-cache',
    createGauges({ trtllm_kv_cache_utilization: createGauge(0.8, { max: 0.93 }) }),
    /up to 93%/,
  ],
  [
    'full-kv-cache',
    createGauges({ dynamo_component_gpu_cache_usage_percent: createGauge(80, { max: 95 }) }),
    /up to 95%, 80% on average/,
  ],
  [
    'preemptions',
    {
      'vllm:num_preemptions': createMetric('counter', [
        createCounter(3),
        createCounter(4, { labels: { engine: '1' } }),
      ]),
    },
    /^7 preemptions$/,
  ],
  [
    'preemptions',
    {
      'vllm:num_preemptions': createMetric('counter', [
        createCounter(0, { stats: { resets: 1, increase: 9 } }),
      ]),
    },
    /^9 preemptions$/,
  ],
  [
    'spare-capacity',
    createGauges({
      'vllm:num_requests_waiting': createGauge(0),
      'vllm:num_requests_running': createGauge(1.5),
    }),
    /1\.5 running and 0 waiting/,
  ],
  [
    'spare-capacity',
    {
      ...createGauges({ nv_inference_pending_request_count: createGauge(0) }),
      nv_inference_request_duration_us: createMetric('counter', [createCounter(20_000_000)], 'microseconds'),
    },
    /1 running and 0 waiting/,
  ],
  [
    'idle-server',
    {
      ...createGauges({ 'vllm:num_requests_running': createGauge(0) }),
      'vllm:generation_tokens': createMetric('counter', [createCounter(0)]),
    },
    /no running requests/,
  ],
  [
    'failed-requests',
    {
      nv_inference_request_failure: createMetric('counter', [
        createCounter(2, { labels: { reason: 'OTHER' } }),
      ]),
      nv_inference_request_success: createMetric('counter', [createCounter(98)]),
    },
    /^2 failed: 2 × OTHER$/,
  ],
  [
    'prefix-cache-hits',
    {
      'vllm:prefix_cache_hits': createMetric('counter', [createCounter(25)]),
      'vllm:prefix_cache_queries': createMetric('counter', [createCounter(100)]),
    },
    /^25%: 25 of 100$/,
  ],
  ['prefix-cache-hits', createGauges({ 'sglang:cache_hit_rate': createGauge(0.3) }), /^30%$/],
  [
    'prefix-cache-hits',
    {
      nv_cache_num_hits_per_model: createMetric('counter', [createCounter(1)]),
      nv_cache_num_misses_per_model: createMetric('counter', [createCounter(3)]),
    },
    /^25%: 1 of 4$/,
  ],
  [
    'tail-latency',
    {
      ...createGauges({ 'vllm:num_requests_waiting': createGauge(0.5, { max: 12 }) }),
      'vllm:time_to_first_token_seconds': createMetric(
        'histogram',
        [createHistogram(100, 1, { stats: { p50_estimate: 0.5, p99_estimate: 4 } })],
        'seconds',
      ),
    },
    /p50 500 ms, p99 4 s, with up to 12 waiting/,
  ],
])('reports %s', (id, metrics, text) => {
  const finding = findById(id, metrics);
  expect(finding?.evidence[0]?.text).toMatch(text);
  expect(finding?.advice).not.toBe('');
});

test('does not count the requests of SGLang again that it also counts by priority', () => {
  const waiting = ['', '1', '2'].map(priority =>
    createGauge(priority === '' ? 30 : 15, { labels: { priority } }),
  );
  const finding = findById('server-bottleneck', { 'sglang:num_queue_reqs': createMetric('gauge', waiting) });
  expect(finding!.evidence[0]!.text).toBe('30 waiting on average');
});

test.each<[string, readonly number[]]>([
  ['a spike that has ended', [0, 0, 30, 30, 0, 0]],
  ['a spike that has just begun', [5, 5, 0, 0, 9, 9]],
  ['a queue that shrinks', [...RISING].reverse()],
  ['too few slices', [0, 50, 100]],
])('does not report %s as growth', (_, slices) => {
  const metrics = createGauges({ 'vllm:num_requests_waiting': createGauge(0.5, { slices }) });
  expect(findById('growing-queue', metrics)).toBeUndefined();
});

test('adds up the requests of several engines', () => {
  const waiting = [0, 1].map(engine => createGauge(3, { labels: { engine: String(engine) } }));
  const finding = findById('server-bottleneck', {
    'vllm:num_requests_waiting': createMetric('gauge', waiting),
  });
  expect(finding!.evidence[0]!.numbers.waiting).toBe(6);
});

test.each<[string, Metrics]>([
  [
    'server-bottleneck',
    createGauges({
      'vllm:num_requests_waiting': createGauge(5),
      'vllm:num_requests_running': createGauge(40),
    }),
  ],
  [
    'spare-capacity',
    createGauges({
      'vllm:num_requests_waiting': createGauge(0),
      'vllm:num_requests_running': createGauge(8),
    }),
  ],
  ['idle-server', { 'vllm:generation_tokens': createMetric('counter', [createCounter(1)]) }],
  [
    // Embedding models count requests, but no tokens.
    'idle-server',
    {
      'vllm:num_requests_running': createMetric('gauge', [createGauge(0)]),
      'vllm:generation_tokens': createMetric('counter', [createCounter(0)]),
      'vllm:request_success': createMetric('counter', [createCounter(80)]),
    },
  ],
  ['full-kv-cache', createGauges({ 'vllm:kv_cache_usage_perc': createGauge(0.5, { max: 0.9 }) })],
  ['prefix-cache-hits', createGauges({ 'sglang:cache_hit_rate': createGauge(0) })],
])('does not report %s within its thresholds', (id, metrics) => {
  expect(findById(id, metrics)).toBeUndefined();
});

test.each([
  ['vllm:kv_cache_usage_perc', /--gpu-memory-utilization/],
  ['sglang:token_usage', /--mem-fraction-static/],
])('gives the advice of the server for %s', (name, advice) => {
  expect(
    findById('full-kv-cache', createGauges({ [name]: createGauge(0.8, { max: 0.95 }) }))!.advice,
  ).toMatch(advice);
});
