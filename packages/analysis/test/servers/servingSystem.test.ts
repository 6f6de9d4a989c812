import { expect, test } from 'vitest';
import { createRunFromView } from '../../src/run/run.ts';
import type { Level } from '../../src/servers/level.ts';
import { findServingSystem, type ServingSystem } from '../../src/servers/servingSystem.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
  URL_B,
} from '../documents.ts';
import { createGauges, type Metrics } from '../findings/runs.ts';

function findSystem(metrics: Metrics, summary: object = {}): ServingSystem {
  const infos = { [URL_A]: healthyInfo, [URL_B]: healthyInfo };
  return findServingSystem(createRunFromView(createDocument(metrics, infos, summary)))!;
}

type LevelName = 'running' | 'waiting' | 'inFlight';

type ExpectedLevel = Partial<Omit<Level, 'slices'>> & {
  readonly slices?: readonly { readonly value: number }[];
};

test.each<[string, Metrics, LevelName, ExpectedLevel | undefined]>([
  [
    'adds up the requests of several engines',
    {
      'vllm:num_requests_running': createMetric('gauge', [
        createGauge(1, { max: 2, slices: [1, 2], labels: { engine: '0' } }),
        createGauge(3, { max: 5, slices: [3], labels: { engine: '1' } }),
      ]),
    },
    'running',
    { avg: 4, max: 7, slices: [{ value: 4 }, { value: 2 }] },
  ],
  [
    'computes running requests from request time per second',
    {
      nv_inference_request_duration_us: createMetric('counter', [
        createCounter(60_000_000, { slices: [2_000_000] }),
      ]),
    },
    'running',
    { avg: 3, max: 3, slices: [{ value: 2 }] },
  ],
  [
    'adds up the queues of the router, the workers and the engines of Dynamo',
    createGauges({
      dynamo_frontend_router_queue_pending_requests: createGauge(10),
      dynamo_request_queue: createGauge(5, { url: URL_B }),
      'vllm:num_requests_waiting': createGauge(2, { url: URL_B }),
    }),
    'waiting',
    { avg: 17, max: 34 },
  ],
  [
    'ignores requests in prefill, which are not in a queue',
    createGauges({
      dynamo_frontend_queued_requests: createGauge(30),
      dynamo_frontend_router_queue_pending_requests: createGauge(1),
    }),
    'waiting',
    { avg: 1 },
  ],
  [
    'counts requests in a frontend that no engine reports',
    createGauges({
      dynamo_frontend_inflight_requests: createGauge(18),
      'vllm:num_requests_running': createGauge(2, { url: URL_B }),
      'vllm:num_requests_waiting': createGauge(0, { url: URL_B }),
    }),
    'inFlight',
    { avg: 18, max: 36 },
  ],
  [
    'counts requests of Triton with vLLM as its backend once',
    {
      ...createGauges({ 'vllm:num_requests_running': createGauge(4) }),
      nv_inference_request_duration_us: createMetric('counter', [createCounter(100_000_000)]),
    },
    'running',
    { avg: 4, max: 8 },
  ],
  [
    'is unknown without the metric',
    createGauges({ 'vllm:num_requests_waiting': createGauge(1) }),
    'running',
    undefined,
  ],
])('a level %s', (_, metrics, name, expected) => {
  const level = findSystem(metrics)[name];
  if (expected === undefined) expect(level).toBeUndefined();
  else expect(level).toMatchObject(expected);
});

test('adds up the requests of an engine that joined late for the time in which it was available', () => {
  const metrics = {
    'vllm:num_requests_running': createMetric('gauge', [createGauge(4), createGauge(4, { url: URL_B })]),
  };
  const joined = { ...healthyInfo, first_fetch_ns: START_NS + 15n * SECOND_NS };
  const infos = { [URL_A]: healthyInfo, [URL_B]: joined };
  const system = findServingSystem(createRunFromView(createDocument(metrics, infos)))!;
  expect(system.running!.avg).toBe(5);
  expect(system.engines.map(({ running }) => running!.avg)).toEqual([4, 4]);
});

test.each<[string, Metrics, { avg: number; max: number }]>([
  [
    'a fraction',
    createGauges({ 'vllm:kv_cache_usage_perc': createGauge(0.2, { max: 0.9 }) }),
    { avg: 0.2, max: 0.9 },
  ],
  [
    'a percentage',
    createGauges({ 'sglang:token_usage': createGauge(50, { max: 80, slices: [40, 60] }) }),
    { avg: 0.5, max: 0.8 },
  ],
])('reads cache usage that is %s as a fraction', (_, metrics, expected) => {
  expect(findSystem(metrics).engines[0]!.kvCache).toMatchObject(expected);
});

test('averages cover the time between the first and the last activity', () => {
  const at = (seconds: number): bigint => START_NS + BigInt(seconds) * SECOND_NS;
  const idle_periods = [
    { start_ns: at(0), end_ns: at(8) },
    { start_ns: at(11), end_ns: at(14) },
    { start_ns: at(18), end_ns: at(20) },
  ];
  const metrics = createGauges({
    'vllm:num_requests_running': createGauge(4, { max: 9, slices: [0, 0, 0, 0, 7, 8, 9, 7, 7, 0] }),
  });
  const { running, window } = findSystem(metrics, { idle_periods });
  expect(running).toMatchObject({ avg: 8, max: 9, slices: [7, 8, 9, 7, 7].map(value => ({ value })) });
  expect(window).toMatchObject({ idleStartSeconds: 8, idleEndSeconds: 2, loadedShare: 0.5 });
});

test('names the ranks of a server with data parallelism', () => {
  const metrics = {
    'vllm:num_requests_running': createMetric(
      'gauge',
      ['0', '1'].map(engine => createGauge(1, { labels: { engine } })),
    ),
  };
  expect(findSystem(metrics).engines.map(({ name }) => name)).toEqual([
    'localhost:8000 engine 0',
    'localhost:8000 engine 1',
  ]);
});

test.each<[string, string, Metrics]>([
  [
    'the frontend, if it counts requests in it',
    'Dynamo',
    createGauges({
      dynamo_frontend_inflight_requests: createGauge(4),
      'vllm:num_requests_waiting': createGauge(2, { url: URL_B }),
    }),
  ],
  [
    'the engine, if the frontend in front of it counts only the requests that passed it',
    'llama.cpp',
    {
      smg_router_requests: createMetric('counter', [createCounter(40)]),
      ...createGauges({ 'llamacpp:requests_deferred': createGauge(2, { url: URL_B }) }),
    },
  ],
  [
    'the frontend, if no other server is scraped',
    'SGLang router',
    { smg_router_requests: createMetric('counter', [createCounter(40)]) },
  ],
])('the system has the name of %s', (_, name, metrics) => {
  expect(findSystem(metrics).server).toBe(name);
});
