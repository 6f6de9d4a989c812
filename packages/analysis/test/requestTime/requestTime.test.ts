import { describe, expect, test } from 'vitest';
import { createCounter, createHistogram, createMetric, START_NS, URL_B } from '../documents.ts';
import {
  type Client,
  compute,
  createLatencies,
  createMetrics,
  type Metrics,
  readMeans,
  VLLM,
} from './metrics.ts';

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

test.each<[string, Client | undefined, number | undefined, number | undefined]>([
  ['the client', { count: 100, avg: 1010 }, 900, 2500],
  ['the servers, if the client measured other requests', { count: 60, avg: 1010 }, 1000, 3900],
  ['the servers, without a client', undefined, 1000, 3900],
])('percentiles of whole requests are those of %s', (_, client, p50, p99) => {
  const time = compute(createLatencies(VLLM), client && { ...client, p50: 900, p99: 2500 })!;
  expect([time.p50?.valueMs, time.p99?.valueMs]).toEqual([p50, p99]);
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
