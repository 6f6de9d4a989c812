import { describe, expect, test } from 'vitest';
import { computeRequestTime, type RequestTime } from '../../src/requestTime/requestTime.ts';
import { createRun } from '../../src/run/run.ts';
import {
  createCounter,
  createDocument,
  createHistogram,
  createMetric,
  createSlices,
  healthyInfo,
  START_NS,
  URL_A,
  URL_B,
} from '../documents.ts';

type Metrics = Readonly<Record<string, object>>;

/** Creates histograms of latencies in seconds, with this number of observations. */
function createLatencies(
  latencies: Readonly<Record<string, number>>,
  { count = 100, url = URL_A, slices = false } = {},
): Metrics {
  return Object.fromEntries(
    Object.entries(latencies).map(([name, avg]) => {
      const options = { url, ...(slices && { slices: [avg / 2, avg] }) };
      return [name, createMetric('histogram', [createHistogram(count, avg, options)], 'seconds')];
    }),
  );
}

/** Creates a histogram of the latency of requests with other statistics. */
function createMetrics(stats: object): Metrics {
  const latency = createMetric('histogram', [createHistogram(100, 1, { stats })], 'seconds');
  return { 'vllm:e2e_request_latency_seconds': latency };
}

const VLLM = {
  'vllm:e2e_request_latency_seconds': 1,
  'vllm:time_to_first_token_seconds': 0.36,
  'vllm:request_queue_time_seconds': 0.2,
  'vllm:request_prefill_time_seconds': 0.1,
  'vllm:request_decode_time_seconds': 0.6,
};

interface Client {
  readonly count: number;
  readonly avg: number;
  readonly p50?: number;
  readonly p99?: number;
}

function compute(metrics: Metrics, client?: Client): RequestTime | undefined {
  const view = createDocument(metrics, { [URL_A]: healthyInfo, [URL_B]: healthyInfo });
  const clientMetrics = client && new Map([['request_latency', { unit: 'ms', ...client }]]);
  return computeRequestTime(
    createRun({
      name: 'a',
      layout: 'json',
      files: {},
      view,
      ...(clientMetrics && { clientMetrics: clientMetrics as never }),
    }),
  );
}

/** Returns the means in ms by stage. */
function readMeans(time: RequestTime | undefined): Record<string, number> {
  return Object.fromEntries(
    (time?.stages ?? []).map(({ stage, meanMs }) => [stage, Math.round(meanMs * 10) / 10]),
  );
}

describe('stages', () => {
  test.each<[string, Metrics, Client | undefined, Record<string, number>]>([
    [
      'vLLM: measured stages, and what is left of the request',
      createLatencies(VLLM),
      { count: 100, avg: 1010 },
      { outside: 10, queue: 200, prefill: 100, decode: 600, server: 100 },
    ],
    [
      'without a client, the request begins and ends in the server',
      createLatencies(VLLM),
      undefined,
      { queue: 200, prefill: 100, decode: 600, server: 100 },
    ],
    [
      'SGLang: prefill and decode from the time to first token',
      createLatencies({
        'sglang:e2e_request_latency_seconds': 2,
        'sglang:time_to_first_token_seconds': 0.5,
        'sglang:queue_time_seconds': 0.3,
      }),
      undefined,
      { queue: 300, prefill: 200, decode: 1500 },
    ],
    [
      'TensorRT-LLM',
      createLatencies({
        trtllm_e2e_request_latency_seconds: 1,
        trtllm_request_queue_time_seconds: 0.1,
        trtllm_request_prefill_time_seconds: 0.2,
        trtllm_request_decode_time_seconds: 0.7,
      }),
      undefined,
      { queue: 100, prefill: 200, decode: 700 },
    ],
    [
      'queue and prefill stay together if the queue is not measured',
      createLatencies({
        'vllm:e2e_request_latency_seconds': 1,
        'vllm:time_to_first_token_seconds': 0.36,
      }),
      undefined,
      { first_token: 360, decode: 640 },
    ],
    [
      'a server that only measures requests',
      createLatencies({ 'vllm:e2e_request_latency_seconds': 1 }),
      { count: 101, avg: 1500 },
      { outside: 500, server: 1000 },
    ],
    [
      'Dynamo: the frontend around the engine',
      {
        ...createLatencies({ dynamo_frontend_request_duration_seconds: 1.2 }),
        ...createLatencies(VLLM, { url: URL_B }),
      },
      { count: 100, avg: 1210 },
      { outside: 10, frontend: 200, queue: 200, prefill: 100, decode: 600, server: 100 },
    ],
    [
      'Dynamo without its workers',
      createLatencies({
        dynamo_frontend_request_duration_seconds: 1,
        dynamo_frontend_time_to_first_token_seconds: 0.4,
      }),
      undefined,
      { first_token: 400, decode: 600 },
    ],
  ])('%s', (_, metrics, client, means) => {
    const time = compute(metrics, client)!;
    expect(readMeans(time)).toEqual(means);
    expect(time.unknown).toEqual([]);
    const sum = time.stages.reduce((total, { meanMs }) => total + meanMs, 0);
    expect(sum).toBeCloseTo(time.meanMs, 6);
    expect(time.stages.reduce((total, { share }) => total + share, 0)).toBeCloseTo(1, 9);
  });

  test('the times of prefill and decode workers are added up per request', () => {
    const prefill = {
      ...VLLM,
      'vllm:e2e_request_latency_seconds': 0.4,
      'vllm:request_decode_time_seconds': 0,
    };
    const workers = Object.fromEntries(
      Object.entries(VLLM).map(([name, avg]) => {
        const series = [
          createHistogram(100, prefill[name as keyof typeof VLLM], { labels: { worker: 'prefill' } }),
          createHistogram(100, avg, { labels: { worker: 'decode' } }),
        ];
        return [name, createMetric('histogram', series, 'seconds')];
      }),
    );
    const components = ['prefill', 'backend'].map(dynamo_component =>
      createCounter(100, { labels: { dynamo_component } }),
    );
    const time = compute({
      ...createLatencies({ dynamo_frontend_request_duration_seconds: 1.5 }),
      dynamo_component_requests: createMetric('counter', components),
      ...workers,
    });
    expect(readMeans(time)).toEqual({ frontend: 100, queue: 400, prefill: 200, decode: 600, server: 200 });
  });
});

/** Creates the stages that Dynamo's frontend measures, from their counts and sums in seconds. */
function createDynamoStages(
  stages: Readonly<Record<string, readonly [count: number, sum: number]>>,
): Metrics {
  const series = Object.entries(stages).map(([stage, [count, sum]]) =>
    createHistogram(count, sum / count, { labels: { stage } }),
  );
  return { dynamo_frontend_stage_duration_seconds: createMetric('histogram', series, 'seconds') };
}

// Counts and sums of the pages that Dynamo 1.6.1 wrote with its mock engine.
describe('stages of the frontend of Dynamo', () => {
  test('one worker: transport is the round trip until the first token, without that of the engine', () => {
    const time = compute({
      ...createLatencies({ dynamo_frontend_request_duration_seconds: 119.496 / 390 }, { count: 390 }),
      ...createDynamoStages({
        preprocess: [390, 0.41578],
        route: [390, 0.00706],
        transport_roundtrip: [390, 11.83634],
      }),
      ...createLatencies(
        {
          'vllm:e2e_request_latency_seconds': 118.294 / 390,
          'vllm:time_to_first_token_seconds': 11.39535 / 390,
        },
        { count: 390, url: URL_B },
      ),
    });
    expect(readMeans(time)).toEqual({
      preprocess: 1.1,
      route: 0,
      transport: 1.1,
      frontend: 0.9,
      first_token: 29.2,
      decode: 274.1,
    });
    expect(time!.unknown).toEqual([]);
    expect(time!.meanMs).toBeCloseTo(119_496 / 390, 6);
  });

  test('separate prefill workers: round trips overlap, so that transport is not known', () => {
    const time = compute({
      ...createLatencies({ dynamo_frontend_request_duration_seconds: 122.489 / 271 }, { count: 271 }),
      ...createDynamoStages({
        preprocess: [271, 4.56582],
        route: [542, 0.00173],
        transport_roundtrip: [543, 50.1752],
      }),
      ...createLatencies(
        {
          'vllm:e2e_request_latency_seconds': 103.652 / 271,
          'vllm:time_to_first_token_seconds': 29.15533 / 271,
        },
        { count: 271, url: URL_B },
      ),
    });
    expect(readMeans(time)).toEqual({ preprocess: 16.8, frontend: 52.7, first_token: 107.6, decode: 274.9 });
    expect(time!.unknown).toEqual([
      'routing: measured for 542 requests, the whole request for 271',
      'transport to engines: measured for 543 requests, the whole request for 271',
    ]);
  });

  test('without its workers: the time to the first token contains transport, queue and prefill', () => {
    const time = compute({
      ...createLatencies({
        dynamo_frontend_request_duration_seconds: 1,
        dynamo_frontend_time_to_first_token_seconds: 0.4,
      }),
      ...createDynamoStages({ preprocess: [100, 5], route: [100, 1], transport_roundtrip: [100, 34] }),
    });
    expect(readMeans(time)).toEqual({ preprocess: 50, route: 10, first_token: 340, decode: 600 });
  });

  test('stages that are longer than the time in the frontend are left out', () => {
    const time = compute({
      ...createLatencies({ dynamo_frontend_request_duration_seconds: 1.2 }),
      ...createDynamoStages({ preprocess: [100, 30] }),
      ...createLatencies(VLLM, { url: URL_B }),
    });
    expect(readMeans(time)).toMatchObject({ frontend: 200, queue: 200 });
    expect(time!.unknown).toEqual(['stages of the frontend: their sum is longer than its time']);
  });
});

test.each<[string, Client | undefined, number | undefined, number | undefined]>([
  ['the client', { count: 100, avg: 1010 }, 900, 2500],
  ['the servers, if the client measured other requests', { count: 60, avg: 1010 }, 1000, 3900],
  ['the servers, without a client', undefined, 1000, 3900],
])('percentiles of whole requests are those of %s', (_, client, p50, p99) => {
  const time = compute(createLatencies(VLLM), client && { ...client, p50: 900, p99: 2500 })!;
  expect([time.p50?.valueMs, time.p99?.valueMs]).toEqual([p50, p99]);
});

describe('what is not known', () => {
  test.each<[string, Metrics, Client | undefined, Record<string, number>, string]>([
    [
      'other clients use the server',
      createLatencies(VLLM),
      { count: 60, avg: 1010 },
      { queue: 200, prefill: 100, decode: 600, server: 100 },
      'outside of the servers: the client completed 60 requests, the servers 100',
    ],
    [
      'the servers measured longer requests than the client',
      createLatencies(VLLM),
      { count: 100, avg: 900 },
      { queue: 200, prefill: 100, decode: 600, server: 100 },
      'outside of the servers: the servers measured longer requests than the client',
    ],
    [
      'the queue was measured for other requests',
      {
        ...createLatencies(VLLM),
        ...createLatencies({ 'vllm:request_queue_time_seconds': 0.2 }, { count: 80 }),
      },
      undefined,
      { first_token: 360, decode: 600, server: 40 },
      'queue: measured for 80 requests, the whole request for 100',
    ],
    [
      'the stages are longer than the request',
      createLatencies({ ...VLLM, 'vllm:request_decode_time_seconds': 0.9 }),
      undefined,
      { server: 1000 },
      'stages: their sum is longer than the request',
    ],
    [
      'not all workers of a frontend were scraped',
      {
        ...createLatencies({ dynamo_frontend_request_duration_seconds: 1.2 }),
        ...createLatencies(VLLM, { url: URL_B, count: 50 }),
      },
      undefined,
      { server: 1200 },
      'engines: Dynamo completed 100 requests, vLLM 50',
    ],
  ])('%s', (_, metrics, client, means, sentence) => {
    const time = compute(metrics, client);
    expect(readMeans(time)).toEqual(means);
    expect(time!.unknown).toEqual([sentence]);
  });

  test.each<[string, Metrics]>([
    ['no server', {}],
    ['no requests', createLatencies(VLLM, { count: 0 })],
    ['no latency', createLatencies({ 'vllm:time_to_first_token_seconds': 1 })],
    ['no sum of the latency', createMetrics({ sum: undefined })],
    ['a sum that is not a number', createMetrics({ sum: Number.NaN })],
  ])('nothing: %s', (_, metrics) => {
    expect(compute(metrics, { count: 100, avg: 1000 })).toBeUndefined();
  });
});

test('stages have means over time, and percentiles if they were measured', () => {
  const time = compute(createLatencies(VLLM, { slices: true }))!;
  const queue = time.stages.find(({ stage }) => stage === 'queue')!;
  expect(queue.p50).toEqual({ valueMs: 200 });
  expect(queue.slices).toEqual([
    { startNs: START_NS, meanMs: 100 },
    { startNs: START_NS + 2_000_000_000n, meanMs: 200 },
  ]);
  const rest = time.stages.find(({ stage }) => stage === 'server')!;
  expect(rest.p50).toBeUndefined();
  expect(rest.slices.map(({ meanMs }) => Math.round(meanMs))).toEqual([50, 100]);
});

test('of several frontends that a request passes, the time of the outermost one is used', () => {
  const metrics = {
    ...createLatencies({
      litellm_request_total_latency_metric: 1.5,
      llm_d_epp_request_duration_seconds: 1.2,
    }),
    ...createLatencies(VLLM, { url: URL_B }),
  };
  const time = compute(metrics)!;
  expect(time.servers).toEqual(['LiteLLM', 'vLLM']);
  expect(time.requests).toBe(100);
  expect(time.meanMs).toBeCloseTo(1500, 9);
});

test('caches and devices take no part in the time of a request', () => {
  const metrics = createLatencies({ ...VLLM, 'lmcache:time_to_retrieve': 3, agent_xfer_time_us: 4 });
  expect(compute(metrics)!.servers).toEqual(['vLLM']);
});

/** Creates a client that measured the requests that ended in each slice of 2 s. */
function computeWithSlices(ended: readonly { count: number; avg: number }[]): RequestTime {
  const view = createDocument(createLatencies(VLLM, { slices: true }), { [URL_A]: healthyInfo });
  const timeslices = createSlices(ended).map(({ start_ns, end_ns, count, avg }) => ({
    start_ns,
    end_ns,
    ended_request_count: { unit: 'requests', avg: count },
    ended_request_latency: { unit: 'ms', avg },
  }));
  return computeRequestTime(
    createRun({
      name: 'a',
      layout: 'json',
      files: {},
      view,
      clientMetrics: new Map([['request_latency', { unit: 'ms', count: 100, avg: 1010 }]]) as never,
      clientTimeslices: { timeslices } as never,
    }),
  )!;
}

test.each<[string, { count: number; avg: number }[], (number | null)[]]>([
  [
    'the same numbers of requests',
    [
      { count: 50, avg: 520 },
      { count: 50, avg: 1005 },
    ],
    [20, 5],
  ],
  [
    'a slightly different number',
    [
      { count: 49, avg: 520 },
      { count: 50, avg: 1005 },
    ],
    [20, 5],
  ],
  [
    'other requests in one slice',
    [
      { count: 40, avg: 520 },
      { count: 50, avg: 1005 },
    ],
    [5],
  ],
  ['a slice that the client lacks', [{ count: 50, avg: 520 }], [20]],
  [
    'a slice where the server measured more',
    [
      { count: 50, avg: 300 },
      { count: 50, avg: 1005 },
    ],
    [5],
  ],
])('the time outside of the servers over time: %s', (_, ended, means) => {
  const outside = computeWithSlices(ended).stages.find(({ stage }) => stage === 'outside')!;
  expect(outside.meanMs).toBeCloseTo(10, 9);
  expect(outside.slices.map(({ meanMs }) => Math.round(meanMs))).toEqual(means);
});

describe('KV transfers between engines', () => {
  test.each<[string, Metrics, object]>([
    [
      'vLLM: a part of the queue',
      { ...createLatencies(VLLM), ...createLatencies({ 'vllm:nixl_xfer_time_seconds': 0.05 }) },
      { within: 'queue', transfers: 100, meanMs: 50, share: 0.05 },
    ],
    [
      'vLLM: only some requests have one',
      {
        ...createLatencies(VLLM),
        ...createLatencies({ 'vllm:nixl_xfer_time_seconds': 0.05 }, { count: 10 }),
      },
      { within: 'queue', transfers: 10, meanMs: 5 },
    ],
    [
      'vLLM: several of one request, which run at the same time',
      {
        ...createLatencies(VLLM),
        ...createLatencies({ 'vllm:nixl_xfer_time_seconds': 0.1 }, { count: 800 }),
      },
      { within: 'queue', transfers: 800, meanMs: 800 },
    ],
    [
      'SGLang: a part of the prefill',
      createLatencies({
        'sglang:e2e_request_latency_seconds': 2,
        'sglang:time_to_first_token_seconds': 0.5,
        'sglang:queue_time_seconds': 0.3,
        'sglang:kv_transfer_latency_ms': 40,
      }),
      { within: 'prefill', transfers: 100, meanMs: 40, share: 0.02 },
    ],
    [
      'a server that does not measure its queue',
      createLatencies({
        'vllm:e2e_request_latency_seconds': 1,
        'vllm:time_to_first_token_seconds': 0.4,
        'vllm:nixl_xfer_time_seconds': 0.05,
      }),
      { within: 'first_token', meanMs: 50 },
    ],
  ])('%s', (_, metrics, transfer) => {
    const time = compute(metrics)!;
    expect(time.kvTransfer).toMatchObject(transfer);
    expect(time.stages.reduce((sum, { meanMs }) => sum + meanMs, 0)).toBeCloseTo(time.meanMs, 6);
    expect(time.unknown).toEqual([]);
  });

  test('are not known if they took longer than the stage that contains them', () => {
    const time = compute(createLatencies({ ...VLLM, 'vllm:nixl_xfer_time_seconds': 0.5 }))!;
    expect(time.kvTransfer).toBeUndefined();
    expect(time.unknown).toEqual(['KV transfer: its time is longer than the stage that contains it']);
  });

  test('are absent if there were none', () => {
    expect(compute(createLatencies(VLLM))).not.toHaveProperty('kvTransfer');
  });
});
