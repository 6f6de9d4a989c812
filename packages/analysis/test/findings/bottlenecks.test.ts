import type { ProfileExport } from '@org/formats';
import { describe, expect, test } from 'vitest';
import { findFindings } from '../../src/findings/findFindings.ts';
import type { Finding } from '../../src/findings/rule.ts';
import { createRun, type Run } from '../../src/run/run.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createHistogram,
  createMetric,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
  URL_B,
} from '../documents.ts';
import { createGauges, findById, findIn, type Metrics } from './runs.ts';

const TWO_ENDPOINTS = { [URL_A]: healthyInfo, [URL_B]: healthyInfo };

/** Creates a gauge that is at its maximum for most of the time. */
function createFullGauge(max: number, options: Parameters<typeof createGauge>[1] = {}): object {
  const gauge = createGauge(0.9 * max, { ...options, max }) as { stats: object };
  return { ...gauge, stats: { ...gauge.stats, p50: max } };
}

/** The saturated server of the shared test data: 64 batch slots, and an almost empty KV cache. */
const SATURATED: Metrics = {
  'vllm:num_requests_running': createMetric('gauge', [createFullGauge(64)]),
  'vllm:num_requests_waiting': createMetric('gauge', [createGauge(34)]),
  'vllm:kv_cache_usage_perc': createMetric('gauge', [createGauge(0.01, { max: 0.016 })]),
};

describe('full batch slots', () => {
  test('recommend more slots instead of a smaller load if the KV cache has room', () => {
    const finding = findById('full-batch', SATURATED);
    expect(finding!.evidence[0]!.text).toBe(
      '64 running (the observed limit) for most of the time, 34 waiting on average, KV cache up to 1.6% full',
    );
    expect(finding!.advice).toMatch(/^Raise --max-num-seqs/);
  });

  test.each<[string, Metrics]>([
    [
      'the KV cache is half full',
      createGauges({ 'vllm:kv_cache_usage_perc': createGauge(0.3, { max: 0.6 }) }),
    ],
    ['the KV cache is unknown', { 'vllm:kv_cache_usage_perc': createMetric('gauge', []) }],
    ['few requests wait', createGauges({ 'vllm:num_requests_waiting': createGauge(0.2) })],
    ['the number of running requests varies', createGauges({ 'vllm:num_requests_running': createGauge(40) })],
    [
      'the server has more slots',
      createGauges({
        dynamo_frontend_inflight_requests: createGauge(90),
        dynamo_frontend_model_max_num_seqs: createGauge(256, { max: 256 }),
      }),
    ],
  ])('are not reported if %s', (_, metrics) => {
    expect(findById('full-batch', { ...SATURATED, ...metrics })).toBeUndefined();
  });
});

describe('requests that wait in engines with 256 batch slots', () => {
  const createLoad = (waiting: number, running: number, kvCache: object, routerQueue = 0): Metrics =>
    createGauges({
      dynamo_frontend_model_max_num_seqs: createGauge(256, { max: 256 }),
      dynamo_frontend_router_queue_pending_requests: createGauge(routerQueue),
      'vllm:num_requests_running': createGauge(running),
      'vllm:num_requests_waiting': createGauge(waiting),
      'vllm:kv_cache_usage_perc': kvCache,
    });
  const EMPTY = createGauge(0.001);

  test.each<[string, Metrics, boolean]>([
    ['are in prefill if the batch and the KV cache have room', createLoad(1.7, 5.6, EMPTY), false],
    ['are in prefill if there are only a few requests', createLoad(1.6, 1.2, EMPTY), false],
    ['wait for the server if most requests wait', createLoad(0.5, 9.3, EMPTY, 23.5), true],
    ['wait for the server if the batch is almost full', createLoad(60, 120, EMPTY), true],
    [
      'wait for the server if the KV cache is almost full',
      createLoad(2, 6, createGauge(0.7, { max: 0.8 })),
      true,
    ],
    ['may wait for the server if the KV cache is unknown', createLoad(2, 6, { ...EMPTY, stats: {} }), true],
  ])('%s', (_, metrics, isBottleneck) => {
    expect(findById('server-bottleneck', metrics) !== undefined).toBe(isBottleneck);
  });

  test('have the same number of slots behind each frontend', () => {
    const slots = createMetric('gauge', [
      createGauge(64, { max: 64 }),
      createGauge(64, { max: 64, url: URL_B }),
    ]);
    const full = { ...SATURATED, dynamo_frontend_model_max_num_seqs: slots };
    expect(findIn(full, TWO_ENDPOINTS).some(({ id }) => id === 'full-batch')).toBe(true);
  });
});

describe('advice about the KV cache', () => {
  const full = createGauges({ 'vllm:kv_cache_usage_perc': createGauge(0.8, { max: 0.97 }) });
  const createConfig = (labels: Readonly<Record<string, string>>): Metrics => ({
    'vllm:cache_config_info': createMetric('gauge', [
      createGauge(1, {
        labels: {
          block_size: '128',
          num_gpu_blocks: '20',
          num_gpu_blocks_override: 'None',
          gpu_memory_utilization: '0.92',
          ...labels,
        },
      }),
    ]),
  });

  test('names the number of blocks that the user set, and the size of the cache', () => {
    const config = createConfig({ num_gpu_blocks_override: '20' });
    const preemptions = { 'vllm:num_preemptions': createMetric('counter', [createCounter(48)]) };
    const { evidence, advice } = findById('full-kv-cache', { ...full, ...preemptions, ...config })!;
    expect(evidence[0]!.text).toBe(
      'up to 97%, 80% on average; 48 preemptions; 2560 tokens (20 blocks of 128)',
    );
    expect(advice).toMatch(/^--num-gpu-blocks-override limits the KV cache to 20 blocks/);
  });

  test('names the share of GPU memory if the server computed the number of blocks', () => {
    expect(findById('full-kv-cache', { ...full, ...createConfig({}) })!.advice).toMatch(
      /^Raise --gpu-memory-utilization \(now 0\.92\)/,
    );
  });

  test('names the fixed size of the KV cache, which makes the share of GPU memory ineffective', () => {
    const config = createConfig({ kv_cache_memory_bytes: '1073741824' });
    expect(findById('full-kv-cache', { ...full, ...config })!.advice).toBe(
      'The size of the KV cache is fixed to 1 GiB: raise --kv-cache-memory-bytes (on CPUs: VLLM_CPU_KVCACHE_SPACE), or send fewer or shorter requests.',
    );
  });

  test.each([
    ['of one rank, although the number of blocks is that of both', '16384', '1048576', '1.049M tokens'],
    ['and its blocks', '8192', '1048576', '1.049M tokens (8192 blocks of 128)'],
  ])('names the size of the cache %s', (_, blocks, tokens, text) => {
    const config = createConfig({ num_gpu_blocks: blocks, kv_cache_size_tokens: tokens });
    expect(findById('full-kv-cache', { ...full, ...config })!.evidence[0]!.text).toBe(
      `up to 97%, 80% on average; ${text}`,
    );
  });

  test('follows preemptions, even if the samples of the usage missed the full cache', () => {
    const preempted: Metrics = {
      ...createGauges({ 'vllm:kv_cache_usage_perc': createGauge(0.5, { max: 0.85 }) }),
      'vllm:num_preemptions': createMetric('counter', [createCounter(7)]),
      ...createConfig({ num_gpu_blocks_override: '20' }),
    };
    const { evidence, advice } = findById('preemptions', preempted)!;
    expect(evidence[0]!.text).toBe('7 preemptions; 2560 tokens (20 blocks of 128)');
    expect(advice).toContain('--num-gpu-blocks-override limits the KV cache to 20 blocks');
  });

  test('does not claim a setting that the server does not report', () => {
    expect(findById('full-kv-cache', full)!.advice).toMatch(/^Increase the memory for the KV cache/);
  });
});

describe('replicas', () => {
  const createReplicas = (busy: number, other: number, waiting = 0): Metrics => ({
    'vllm:num_requests_running': createMetric('gauge', [
      createGauge(busy),
      createGauge(other, { url: URL_B }),
    ]),
    'vllm:num_requests_waiting': createMetric('gauge', [
      createGauge(5),
      createGauge(waiting, { url: URL_B }),
    ]),
    'vllm:generation_tokens': createMetric('counter', [
      createCounter(9000),
      createCounter(1000, { url: URL_B }),
    ]),
  });
  const findImbalance = (metrics: Metrics): Finding | undefined =>
    findIn(metrics, TWO_ENDPOINTS).find(({ id }) => id === 'replica-imbalance');

  test('with uneven loads are named', () => {
    const [evidence] = findImbalance(createReplicas(20, 2))!.evidence;
    expect(evidence).toMatchObject({
      endpoint: 'localhost:8000',
      text: 'localhost:8000 had 25 requests on average (90% of the output tokens), down:1 had 2 requests on average (10% of the output tokens)',
    });
  });

  const createLatencies = (count: number, seconds: number): Metrics => ({
    'vllm:e2e_request_latency_seconds': createMetric(
      'histogram',
      [createHistogram(count, seconds), createHistogram(100, 0.25, { url: URL_B })],
      'seconds',
    ),
  });

  test.each([
    [102, 10, 'a replica is slow'],
    [102, 0.3, 'replicas are loaded unevenly'],
    [900, 10, 'replicas are loaded unevenly'],
  ])('with %d requests of %d s, and 100 of 0.25 s', (count, seconds, title) => {
    const finding = findImbalance({ ...createReplicas(20, 2), ...createLatencies(count, seconds) });
    expect(finding).toMatchObject({ title, evidence: [{ endpoint: 'localhost:8000' }] });
    if (title === 'a replica is slow')
      expect(finding!.evidence[0]!.text).toBe(
        'localhost:8000 needed 10 s per request (102 requests), down:1 needed 250 ms per request (100 requests)',
      );
  });

  test('that are all busy are not reported as uneven', () => {
    expect(findImbalance(createReplicas(20, 2, 5))).toBeUndefined();
    expect(findImbalance(createReplicas(20, 18))).toBeUndefined();
  });

  test('of different models or components are not compared', () => {
    const models = createMetric('gauge', [
      createGauge(20, { labels: { model_name: 'a' } }),
      createGauge(2, { url: URL_B, labels: { model_name: 'b' } }),
    ]);
    expect(findImbalance({ ...createReplicas(20, 2), 'vllm:num_requests_running': models })).toBeUndefined();
    const components = createMetric('counter', [
      createCounter(1, { labels: { dynamo_component: 'prefill' } }),
      createCounter(1, { url: URL_B, labels: { dynamo_component: 'backend' } }),
    ]);
    expect(
      findImbalance({ ...createReplicas(20, 2), dynamo_component_requests: components }),
    ).toBeUndefined();
  });

  test('of data parallelism are compared by rank', () => {
    const ranks = createMetric(
      'gauge',
      [20, 1].map((running, engine) => createGauge(running, { labels: { engine: String(engine) } })),
    );
    const finding = findById('replica-imbalance', { 'vllm:num_requests_running': ranks });
    expect(finding!.evidence[0]!.endpoint).toBe('localhost:8000 engine 0');
  });
});

test('prefill workers with most of the requests are the bottleneck', () => {
  const createWorker = (requests: number, component: string, url: string): object =>
    createGauge(requests, { url, labels: { dynamo_endpoint: 'generate', dynamo_component: component } });
  const metrics = {
    ...createGauges({ dynamo_frontend_inflight_requests: createGauge(60) }),
    dynamo_component_inflight_requests: createMetric('gauge', [
      createWorker(46, 'prefill', URL_A),
      createWorker(6, 'backend', URL_B),
    ]),
    dynamo_component_requests: createMetric('counter', [
      createCounter(9, { labels: { dynamo_component: 'prefill' } }),
      createCounter(9, { url: URL_B, labels: { dynamo_component: 'backend' } }),
    ]),
  };
  const finding = findIn(metrics, TWO_ENDPOINTS).find(({ id }) => id === 'prefill-bottleneck');
  expect(finding!.evidence[0]!.text).toBe('46 of 52 requests were in prefill workers on average');
});

const LIGHT_LOAD = createGauges({
  'vllm:num_requests_running': createGauge(1),
  'vllm:num_requests_waiting': createGauge(0),
});

function createProfiledRun(metrics: Metrics, client: object): Run {
  const profile = {
    schema_version: '1.3',
    load_generator: { tokenizer: 'server', ...client },
    request_latency: { unit: 'ms', avg: 220, p50: 200 },
    time_to_first_token: { unit: 'ms', avg: 25, p50: 20 },
  } as unknown as ProfileExport;
  return createRun({ name: '', layout: 'json', files: {}, view: createDocument(metrics), profile });
}

describe('a light load', () => {
  const listIds = (client: object): string[] =>
    findFindings(createProfiledRun(LIGHT_LOAD, client))
      .map(({ id }) => id)
      .filter(id => id !== 'run-without-timeslices');

  test.each<[string, object, string[]]>([
    ['without delays of the client', {}, ['spare-capacity']],
    [
      'with a delay of the event loop that is small compared with the time to first token',
      { event_loop_delay_p99_ms: 1.5, event_loop_utilization: 0.1 },
      ['spare-capacity'],
    ],
    [
      'with late requests of a client that is idle most of the time',
      { send_delay_p99_ms: 47, event_loop_utilization: 0.03 },
      ['spare-capacity'],
    ],
    [
      'with a delay of the event loop that is a large share of the time to first token',
      { event_loop_delay_p99_ms: 5, event_loop_utilization: 0.1 },
      ['client-overload', 'spare-capacity'],
    ],
    [
      'of a busy client whose delay is a large share of the latency',
      { event_loop_delay_p99_ms: 50, event_loop_utilization: 0.95 },
      ['client-bottleneck', 'client-overload'],
    ],
  ])('%s', (_, client, expected) => {
    expect(listIds(client)).toEqual(expected);
  });

  test('names the delay of the client and its share of the latency', () => {
    const run = createProfiledRun(LIGHT_LOAD, { event_loop_delay_p99_ms: 50, event_loop_utilization: 0.95 });
    const finding = findFindings(run).find(({ id }) => id === 'client-bottleneck');
    expect(finding!.evidence[0]!.text).toBe(
      'the event loop was 50 ms late (p99), 25% of the median request latency (200 ms); the event loop was busy for 95% of the time',
    );
    expect(finding!.advice).not.toMatch(/increase concurrency/);
  });

  test('of a wrapped load generator leaves the advice to the user of that generator', () => {
    expect(findById('spare-capacity', LIGHT_LOAD)).toMatchObject({
      title: 'the server was not saturated',
      advice: expect.stringMatching(/your load generator/),
    });
  });
});

test('a run without requests and output is idle, even without counters of tokens', () => {
  const metrics = createGauges({
    'vllm:num_requests_running': createGauge(0, { max: 0 }),
    dynamo_frontend_inflight_requests: createGauge(0, { max: 0 }),
  });
  expect(findById('idle-server', metrics)?.evidence).toHaveLength(1);
});

const IDLE_VLLM: Metrics = {
  ...createGauges({
    'vllm:num_requests_running': createGauge(0, { max: 0 }),
    'vllm:num_requests_waiting': createGauge(0, { max: 0 }),
  }),
  'vllm:generation_tokens': createMetric('counter', [createCounter(0)]),
};

test.each<[string, string, Metrics]>([
  [
    'by cause',
    'failed-requests',
    {
      ...createGauges({ dynamo_frontend_inflight_requests: createGauge(0, { max: 0 }) }),
      dynamo_frontend_requests: createMetric('counter', [
        createCounter(12, { labels: { status: 'error', error_type: 'not_found' } }),
      ]),
    },
  ],
  [
    'by HTTP status, such as of an unknown model',
    'http-errors',
    {
      ...IDLE_VLLM,
      http_requests: createMetric('counter', [
        createCounter(12, { labels: { handler: '/v1/chat/completions', status: '4xx' } }),
      ]),
    },
  ],
])('a server that rejected all requests, counted %s, is not idle', (_, id, metrics) => {
  expect(findById(id, metrics)).toBeDefined();
  expect(findById('idle-server', metrics)).toBeUndefined();
});

test.each([
  ['all requests failed on the client', 12, false],
  ['some requests failed on the client', 11, true],
])('a server without requests is idle if not explained: %s', (_, failed, isIdle) => {
  const client = { request_count: { unit: 'requests', avg: 12 - failed } };
  const run = createProfiledRun(IDLE_VLLM, {});
  const profile = { ...run.profile, ...client, error_request_count: { unit: 'requests', avg: failed } };
  const ids = findFindings({ ...run, profile: profile as unknown as ProfileExport }).map(({ id }) => id);
  expect(ids).toContain('failed-client-requests');
  expect(ids.includes('idle-server')).toBe(isIdle);
});

describe('the start-up and the end of a wrapped load generator', () => {
  const at = (seconds: number): bigint => START_NS + BigInt(Math.round(seconds * 1000)) * (SECOND_NS / 1000n);
  const summary = {
    idle_periods: [
      { start_ns: at(0), end_ns: at(5.68) },
      { start_ns: at(17.24), end_ns: at(20) },
    ],
  };
  const createWrappedRun = (files: Run['files'], options: object = {}): Run =>
    createRun({
      name: 'runs/my run',
      layout: 'json',
      files,
      view: { ...createDocument(LIGHT_LOAD, undefined, summary), ...options },
    });
  const findIdle = (run: Run): Finding | undefined => findFindings(run).find(({ id }) => id === 'idle-time');

  test('are reported with the command that exports the loaded time', () => {
    const finding = findIdle(createWrappedRun({ aggregated: 'a.json', parquet: 'a.parquet' }));
    expect(finding!.evidence[0]!.text).toBe('no requests in the first 5.7 s and the last 2.8 s of 20 s');
    expect(finding!.advice).toMatch(
      "run: servelens export 'runs/my run' --start 5.6 --end 17.3 --output 'runs/my run-loaded'",
    );
  });

  test('are reported without the command if the run has no samples', () => {
    const finding = findIdle(createWrappedRun({ aggregated: 'a.json' }));
    expect(finding!.advice).not.toMatch(/servelens export/);
    expect(finding!.advice).toMatch(/--server-metrics-formats/);
  });

  test('are left out of averages, which cover only loaded time', () => {
    const finding = findFindings(createWrappedRun({})).find(({ id }) => id === 'spare-capacity');
    expect(finding!.evidence[0]!.text).toBe('1.7 running and 0 waiting on average while loaded');
  });

  test('are not reported for the load generator of Servelens', () => {
    expect(findIdle(createWrappedRun({}, { input_config: { phases: {} } }))).toBeUndefined();
  });
});
