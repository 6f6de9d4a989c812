import { expect, test } from 'vitest';
import { LiveRun } from '../src/liveRun.ts';
import type { LiveState } from '../src/liveState.ts';
import { TestEndpoint, TestLoad } from './support.ts';

const NOW_NS = 10_000_000_000n;

function startLoad(load: TestLoad, endpoints: readonly TestEndpoint[] = []): LiveRun {
  const run = new LiveRun({ profiling: { durationS: 20 }, warmup: { requestCount: 4 } });
  run.handle({ type: 'load_started', active: load.createActive(endpoints) }, 0);
  return run;
}

function startCollect(endpoints: readonly TestEndpoint[]): LiveRun {
  const run = new LiveRun({});
  run.handle({ type: 'endpoints_probed', endpoints: endpoints.map(one => one.asEndpoint) }, 0);
  return run;
}

function readState(run: LiveRun): LiveState {
  run.read();
  return run.describe(0, NOW_NS);
}

test('rates cover the time since the previous reading', () => {
  const load = new TestLoad();
  const run = startLoad(load);
  load.advance(2, [100, 100]);
  expect(readState(run).client!.requests).toEqual({ now: 1, points: [1] });
  load.advance(4, [100, 100, 100, 100], { inFlight: 7 });
  const { requests, outputTokens, inFlight } = readState(run).client!;
  expect(requests).toEqual({ now: 2, points: [1, 2] });
  expect(outputTokens.now).toBe(20);
  expect(inFlight).toEqual({ now: 7, points: [0, 7] });
});

test('a latency without requests in the last reading is unknown, and not the earlier one', () => {
  const load = new TestLoad();
  const run = startLoad(load);
  load.advance(1, [100]);
  run.read();
  load.advance(2, []);
  const { requestLatency } = readState(run).client!;
  expect(requestLatency.now).toBeUndefined();
  expect(requestLatency.points[1]).toBeNull();
  expect(requestLatency.recent!.count).toBe(1);
  expect(requestLatency.recent!.p50).toBeCloseTo(100, -0.3);
});

test('recent percentiles cover 60 readings, and total ones the whole phase', () => {
  const load = new TestLoad();
  const run = startLoad(load);
  for (let second = 1; second <= 100; second++) {
    load.advance(second, [second <= 40 ? 1000 : 10]);
    run.read();
  }
  const { requestLatency } = run.describe(0, NOW_NS).client!;
  expect(requestLatency.points).toHaveLength(60);
  expect(requestLatency.recent).toMatchObject({ count: 60 });
  expect(requestLatency.recent!.p99).toBeLessThan(11);
  expect(requestLatency.total).toMatchObject({ count: 100 });
  expect(requestLatency.total!.p99).toBeGreaterThan(990);
});

test('latencies are unknown when the run no longer stores the values of requests', () => {
  const load = new TestLoad(3);
  const run = startLoad(load);
  load.advance(1, [10, 10]);
  expect(readState(run).client!.requestLatency.total!.count).toBe(2);
  load.advance(2, [900, 900]);
  const { now, total } = readState(run).client!.requestLatency;
  expect([now, total]).toEqual([undefined, undefined]);
});

test('the profiling phase starts without the values of the warm-up', () => {
  const load = new TestLoad();
  const run = startLoad(load);
  load.advance(1, [], { phase: 'warmup' });
  load.advance(2, [500, 500]);
  const warmup = readState(run);
  expect(warmup.stage).toEqual({
    name: 'warm-up',
    seconds: 2,
    fraction: 0.5,
    remainingSeconds: 2,
    ended: 2,
    planned: 4,
  });
  expect(warmup.client!.requestLatency.total!.count).toBe(2);
  load.advance(1, [], { phase: 'profiling', succeeded: 0 });
  load.advance(5, [10]);
  const { stage, client } = readState(run);
  expect(stage).toMatchObject({ name: 'profiling', fraction: 0.25, remainingSeconds: 15 });
  expect(client!.requestLatency.total!.count).toBe(1);
  expect(client!.requests.points).toEqual([0.2]);
});

const VLLM = (count: number): Parameters<TestEndpoint['scrape']>[1] => ({
  'gauge vllm:num_requests_running': 3,
  'gauge vllm:num_requests_waiting': 2,
  'gauge vllm:kv_cache_usage_perc': 0.25,
  'counter vllm:request_success stop': count,
  'counter vllm:request_success error': count / 10,
  'counter vllm:request_success abort': count / 10,
  'counter vllm:generation_tokens': 100 * count,
  'histogram vllm:time_to_first_token_seconds': { 0.1: count / 2, 1: count, Inf: count },
});

test('servers are read by their roles', () => {
  const endpoint = new TestEndpoint().scrape(1, VLLM(10));
  const run = startCollect([endpoint]);
  run.read();
  endpoint.scrape(3, VLLM(30));
  const { server, client } = readState(run);
  expect(client).toBeUndefined();
  expect(server.requests).toEqual({ now: 12, points: [null, 12] });
  expect(server.outputTokens.now).toBe(1000);
  expect([server.running.now, server.waiting.now, server.kvCache.now]).toEqual([3, 2, 0.25]);
  expect(server.timeToFirstToken.recent).toEqual({
    count: 20,
    p50: 100,
    p90: 820,
    p95: 910,
    p99: expect.closeTo(982),
  });
  // Requests that their clients cancelled did not fail.
  expect(server.failures).toBe(2);
});

test('the counters of several endpoints are added, each over its own time', () => {
  const [first, second] = [new TestEndpoint(), new TestEndpoint('http://localhost:8001/metrics')];
  const run = startCollect([first.scrape(1, VLLM(0)), second.scrape(1, VLLM(0))]);
  run.read();
  first.scrape(2, VLLM(10));
  second.scrape(3, VLLM(10));
  const { server, endpoints } = readState(run);
  expect(server.requests.now).toBe(12 + 6);
  expect(server.running.now).toBe(6);
  expect(endpoints.map(({ host, requests }) => [host, requests])).toEqual([
    ['localhost:8000', 12],
    ['localhost:8001', 6],
  ]);
});

test('a server that does not respond is named, and its values are unknown', () => {
  const endpoint = new TestEndpoint().scrape(1, VLLM(10));
  const run = startCollect([endpoint]);
  run.read();
  endpoint.fail();
  const { server, endpoints, unresponsive } = readState(run);
  expect(server.running.now).toBeUndefined();
  expect(server.running.points).toEqual([3, null]);
  expect(endpoints[0]).toMatchObject({ isCurrent: false, ageSeconds: 9, running: undefined });
  expect(unresponsive).toBe('localhost:8000 does not respond (9 s)');
});

test.each<[string, (endpoint: TestEndpoint) => void]>([
  ['without a new scrape', () => {}],
  ['after a restart', endpoint => void endpoint.scrape(2, VLLM(1))],
])('rates are unknown %s', (_, change) => {
  const endpoint = new TestEndpoint().scrape(1, VLLM(10));
  const run = startCollect([endpoint]);
  run.read();
  change(endpoint);
  const { server } = readState(run);
  expect(server.requests.points).toEqual([null, null]);
  expect(server.timeToFirstToken.recent).toBeUndefined();
  expect(server.running.now).toBe(3);
  endpoint.scrape(3, VLLM(11));
  expect(readState(run).server.requests.now).toBeGreaterThan(0);
});

test('metrics of no known server leave all values unknown', () => {
  const run = startCollect([new TestEndpoint().scrape(1, { 'gauge other_running': 4 })]);
  const { server, endpoints } = readState(run);
  expect(server.running).toEqual({ now: undefined, points: [null] });
  expect(server.failures).toBeUndefined();
  expect(endpoints[0]!.servers).toEqual([]);
});

test('histograms with different buckets have no common percentiles', () => {
  const [first, second] = [new TestEndpoint(), new TestEndpoint('http://localhost:8001/metrics')];
  const read = (count: number) => {
    first.scrape(count, { 'histogram vllm:time_to_first_token_seconds': { 1: count, Inf: count } });
    second.scrape(count, { 'histogram vllm:time_to_first_token_seconds': { 2: count, Inf: count } });
  };
  read(1);
  const run = startCollect([first, second]);
  run.read();
  read(2);
  expect(readState(run).server.timeToFirstToken.recent).toBeUndefined();
});

test('endpoints are added and removed during the run, and are named by their pod', () => {
  const first = new TestEndpoint();
  const endpoints = [first];
  const run = new LiveRun({});
  run.handle({ type: 'endpoints_probed', endpoints: endpoints as never }, 0);
  expect(readState(run).endpoints.map(({ host }) => host)).toEqual(['localhost:8000']);
  const second = Object.assign(new TestEndpoint('http://localhost:8001/metrics'), {
    labels: { pod: 'vllm-1' },
  });
  endpoints.push(second);
  first.health.status = 'removed';
  const { endpoints: states, unresponsive } = readState(run);
  expect(states.map(({ host }) => host)).toEqual(['vllm-1']);
  expect(unresponsive).toBeUndefined();
});
