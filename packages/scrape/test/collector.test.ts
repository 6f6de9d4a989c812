import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { Collector } from '../src/collector.ts';
import type { EndpointEvent } from '../src/endpoint/eventReporter.ts';
import { parseMetricsTarget, parseServerTarget } from '../src/endpoint/target.ts';
import { Fetcher } from '../src/http/fetcher.ts';
import { createSystemClock } from '../src/schedule/clock.ts';
import { respondWith, ScriptedServer } from './support/scriptedServer.ts';

const cleanup: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of cleanup.splice(0)) await stop();
});

async function startServer(
  body: Parameters<typeof ScriptedServer.start>[0] = respondWith('a 1\n'),
): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(body);
  cleanup.push(() => server.stop());
  return server;
}

function createCollector(urls: string[], intervalMs: number, timeoutMs = 2000) {
  const clock = createSystemClock();
  const frames = new Map<string, number>();
  const events: EndpointEvent[] = [];
  timestampsByUrl.clear();
  const collector = new Collector({
    targets: urls.map(parseMetricsTarget),
    clock,
    intervalMs,
    createFetcher: () => new Fetcher({ clock, limits: { timeoutMs, encodedBytes: 1e6, decodedBytes: 1e6 } }),
    onFrame: ({ url }, { timestampNs }) => {
      frames.set(url, (frames.get(url) ?? 0) + 1);
      timestampsByUrl.set(url, [...(timestampsByUrl.get(url) ?? []), Number(timestampNs)]);
    },
    onEvent: event => events.push(event),
  });
  cleanup.unshift(() => collector.close());
  return { collector, clock, frames, events };
}

/** Timestamps of the latest collector's frames, in nanoseconds, by URL. */
const timestampsByUrl = new Map<string, number[]>();
const listFrameTimestamps = (url: string): number[] => timestampsByUrl.get(url) ?? [];

test('scrapes all endpoints in parallel and waits for slow ones only up to the limit', async () => {
  const good = await startServer();
  const slow = await startServer(() => {});
  const { collector, frames } = createCollector([good.url(), slow.url()], 50, 60_000);
  const start = performance.now();
  await collector.scrapeAll(2000);
  expect(performance.now() - start).toBeLessThan(20_000);
  expect(frames.get(good.url())).toBe(1);
  expect(frames.has(slow.url())).toBe(false);
});

test('keeps one scrape of a stalled endpoint in flight, counts late scrapes when it responds, and scrapes other endpoints normally', async () => {
  const good = await startServer();
  let respond: (() => void) | undefined;
  const stalling = await startServer((request, response) => {
    respond = () => respondWith('a 1\n')(request, response);
    if (stalling.requestedUrls.length === 1) respond();
  });
  const { collector, frames } = createCollector([good.url(), stalling.url()], 20, 60_000);
  await collector.scrapeAll(20_000);
  collector.start();
  const [goodEndpoint, stalledEndpoint] = collector.endpoints;
  await waitUntil(() => frames.get(good.url())! > 15);
  // The first scrape succeeded; the second one stalls, and no further scrape starts meanwhile.
  expect(stalling.requestedUrls.length).toBe(2);
  expect(stalledEndpoint!.health.lateScrapes).toBe(0);
  collector.pause();
  respond!();
  await stalledEndpoint!.inFlight;
  await waitUntil(() => stalledEndpoint!.health.lateScrapes > 10);
  expect(goodEndpoint!.health.status).toBe('active');
});

test('an endpoint that stops responding is failing, not slow', async () => {
  const server = await startServer((request, response) => {
    if (server.requestedUrls.length <= 3) respondWith('a 1\n')(request, response);
  });
  const { collector, events } = createCollector([server.url()], 20, 150);
  await collector.scrapeAll(20_000);
  collector.start();
  const [endpoint] = collector.endpoints;
  await waitUntil(() => endpoint!.health.failedScrapes >= 2);
  collector.pause();
  const { status, lateScrapes, lastOutage } = endpoint!.health;
  expect([status, lateScrapes, lastOutage!.reason]).toEqual(['failing', 0, 'timeout']);
  expect(events.map(({ kind }) => kind)).toEqual(['failing']);
  expect(collector.getInterval(endpoint!).increases).toBe(0);
});

test('records a scrape without a response that the end of the run aborts as a failure if it is unusually long', async () => {
  const server = await startServer((request, response) => {
    if (server.requestedUrls.length === 1) respondWith('a 1\n')(request, response);
  });
  const { collector } = createCollector([server.url()], 20, 60_000);
  await collector.scrapeAll(20_000);
  collector.start();
  const [endpoint] = collector.endpoints;
  await waitUntil(() => endpoint!.stalledMs > 0);
  await collector.close();
  const { status, outages } = endpoint!.health;
  expect([status, outages.length]).toEqual(['failing', 1]);
  expect(outages[0]).toMatchObject({ reason: 'timeout', scrapes: 1 });
  expect(outages[0]!.message).toMatch(/^did not respond for \d+\.\d s, until the end of the run$/);
});

test('detects when an endpoint becomes reachable, fails and recovers', async () => {
  // An address that no other process uses, so that the port stays free while the server is stopped.
  const host = '127.0.0.2';
  const first = await ScriptedServer.start(respondWith('a 1\n'), { host });
  const { port } = first;
  await first.stop();
  const { collector } = createCollector([`${host}:${port}`], 20);
  await collector.scrapeAll(20_000);
  const [endpoint] = collector.endpoints;
  expect(endpoint!.health.status).toBe('no_data');
  collector.start();
  let server = await ScriptedServer.start(respondWith('a 1\n'), { port, host });
  await waitUntil(() => endpoint!.health.status === 'active');
  await server.stop();
  await waitUntil(() => endpoint!.health.status === 'failing');
  server = await ScriptedServer.start(respondWith('a 2\n'), { port, host });
  cleanup.push(() => server.stop());
  await waitUntil(() => endpoint!.health.status === 'active');
  expect(endpoint!.health.outages.length).toBeGreaterThanOrEqual(2);
  expect(endpoint!.latest![0]).toBe(2);
});

test('scrapes a metrics URL only once if several targets resolve to it', async () => {
  const server = await startServer((request, response) => {
    if (request.url === '/metrics') respondWith('a 1\n')(request, response);
    else respondWith('nothing', {}, 404)(request, response);
  });
  const clock = createSystemClock();
  const frames: string[] = [];
  const collector = new Collector({
    targets: [
      parseServerTarget(`127.0.0.1:${server.port}/v1`),
      parseServerTarget(`127.0.0.1:${server.port}/v2`),
      parseMetricsTarget(`127.0.0.1:${server.port}`),
    ],
    clock,
    intervalMs: 50,
    createFetcher: () =>
      new Fetcher({ clock, limits: { timeoutMs: 2000, encodedBytes: 1e6, decodedBytes: 1e6 } }),
    onFrame: ({ url }) => frames.push(url),
  });
  cleanup.unshift(() => collector.close());
  await collector.scrapeAll(20_000);
  await collector.scrapeAll(20_000);
  expect(frames).toEqual([server.url(), server.url()]);
  expect(collector.endpoints.map(({ health }) => health.status)).toEqual([
    'duplicate',
    'duplicate',
    'active',
  ]);
});

test('does not wait for endpoints without data if their time limit is 0', async () => {
  const good = await startServer();
  const slow = await startServer(() => {});
  const { collector, frames } = createCollector([good.url(), slow.url()], 50, 60_000);
  await collector.scrapeAll(2000);
  const start = performance.now();
  await collector.scrapeAll(60_000, 0);
  expect(performance.now() - start).toBeLessThan(20_000);
  expect(frames.get(good.url())).toBe(2);
});

/** Returns a listener that responds after a delay. */
const respondAfter =
  (ms: number): Parameters<typeof ScriptedServer.start>[0] =>
  (request, response) => {
    setTimeout(() => respondWith('a 1\n')(request, response), ms);
  };

test('takes barrier samples from scrapes that start after the barrier, and scrapes endpoints with old samples again', async () => {
  const quick = await startServer();
  const slow = await startServer();
  const { collector, clock } = createCollector([quick.url(), slow.url()], 20, 60_000);
  await collector.scrapeAll(20_000);
  /** Pending responses of the slow server. */
  const pendingResponses: (() => void)[] = [];
  slow.listener = (request, response) =>
    void pendingResponses.push(() => respondWith('a 1\n')(request, response));
  collector.start();
  await waitUntil(() => pendingResponses.length === 1);
  const barrierNs = clock.nowNs();
  const barrier = collector.takeBarrierSamples({
    limitMs: 60_000,
    inactiveLimitMs: 0,
    needsFreshSamples: true,
  });
  pendingResponses[0]!();
  await waitUntil(
    () => pendingResponses.length === 2 && listFrameTimestamps(quick.url()).at(-1)! > Number(barrierNs),
  );
  // Wait until the sample of the quick endpoint is old, compared with the duration of its scrapes.
  const maxMs = collector.getCost(collector.endpoints[0]!).durations.computeQuantile(1)!;
  const waitStartMs = performance.now();
  await waitUntil(() => performance.now() - waitStartMs > 200 + 3 * maxMs);
  pendingResponses[1]!();
  const samples = await barrier;
  const barrierEndNs = clock.nowNs();
  const [quickNs, slowNs] = collector.endpoints.map(endpoint => samples.get(endpoint)!);
  // The scrape of the slow server that was in flight when the barrier started does not count.
  const laterNs = listFrameTimestamps(slow.url()).filter(ns => ns > Number(barrierNs));
  expect(laterNs.length).toBe(2);
  expect(laterNs[1]).toBe(Number(slowNs));
  // The quick endpoint was scraped again after the slow one responded.
  expect(quickNs).toBeGreaterThan(slowNs!);
  expect(quickNs).toBeLessThan(barrierEndNs);
  expect(Math.max(...listFrameTimestamps(quick.url()))).toBe(Number(quickNs));
});

test('reports samples that arrive after the time limit of the barrier', async () => {
  const stalling = await startServer();
  const { collector } = createCollector([stalling.url()], 50);
  await collector.scrapeAll(5000);
  stalling.listener = respondAfter(200);
  const lateTimesNs: bigint[] = [];
  const onLate = (_: unknown, atNs: bigint): void => void lateTimesNs.push(atNs);
  expect((await collector.takeBarrierSamples({ limitMs: 50, inactiveLimitMs: 0, onLate })).size).toBe(0);
  await waitUntil(() => lateTimesNs.length === 1);
  expect(listFrameTimestamps(stalling.url())).toContain(Number(lateTimesNs[0]));
});

test('ends a barrier when its signal is aborted', async () => {
  const stalling = await startServer();
  const { collector } = createCollector([stalling.url()], 50);
  await collector.scrapeAll(5000);
  stalling.listener = () => {};
  const controller = new AbortController();
  const limits = { limitMs: 60_000, inactiveLimitMs: 0, needsFreshSamples: true, signal: controller.signal };
  const barrier = collector.takeBarrierSamples(limits);
  controller.abort();
  expect((await barrier).size).toBe(0);
  expect((await collector.takeBarrierSamples(limits)).size).toBe(0);
});

test('increases the interval of a slow endpoint and reports it once', async () => {
  const quick = await startServer();
  const slow = await startServer(respondAfter(160));
  const { collector, events } = createCollector([quick.url(), slow.url()], 50);
  await collector.scrapeAll(5000);
  collector.start();
  const [, endpoint] = collector.endpoints;
  const interval = collector.getInterval(endpoint!);
  const listSlowEvents = (): EndpointEvent[] => events.filter(({ url }) => url === slow.url());
  await waitUntil(() => interval.intervalMs >= 200);
  expect(endpoint!.health.lateScrapes).toBeGreaterThanOrEqual(2);
  expect(interval.increases).toBeGreaterThanOrEqual(2);
  expect(listSlowEvents().map(({ kind }) => kind)).toEqual(['slow']);
  expect(listSlowEvents()[0]!.message).toMatch(
    /a scrape took \d+\.\d+ s, longer than the 0\.05 s interval; scrape interval increased to 0\.1 s/,
  );
  slow.listener = respondWith('a 1\n');
  await waitUntil(() => interval.intervalMs === 50);
  expect(interval.maxMs).toBeGreaterThanOrEqual(200);
  expect(listSlowEvents()).toHaveLength(1);
});

test('reduces the interval again after immediate failures', async () => {
  const server = await startServer(respondAfter(160));
  const { collector } = createCollector([server.url()], 50);
  await collector.scrapeAll(5000);
  collector.start();
  const endpoint = collector.endpoints[0]!;
  const interval = collector.getInterval(endpoint);
  await waitUntil(() => interval.intervalMs >= 200);
  await server.stop();
  await waitUntil(() => interval.intervalMs === 50);
  expect(endpoint.health.status).toBe('failing');
});

test('adds the sizes of successful scrapes, and the durations of successful and timed-out scrapes', async () => {
  const server = await startServer(respondWith('a 1\n'));
  const { collector } = createCollector([server.url()], 50, 1500);
  const cost = collector.getCost(collector.endpoints[0]!);
  await collector.scrapeAll(5000);
  expect(cost).toMatchObject({ scrapes: 1, encodedBytes: 4, decodedBytes: 4 });
  server.listener = () => {};
  await collector.scrapeAll(5000);
  expect(cost).toMatchObject({ scrapes: 1, encodedBytes: 4, decodedBytes: 4 });
  expect(cost.durations.count).toBe(2);
  expect(cost.durations.computeQuantile(1)).toBeGreaterThan(1200);
  await server.stop();
  await collector.scrapeAll(5000);
  expect(cost.durations.count).toBe(2);
});

test('does not scrape a disabled endpoint again', async () => {
  const json = await startServer(respondWith('[]', { 'content-type': 'application/json' }));
  const { collector } = createCollector([json.url()], 10);
  await collector.scrapeAll(20_000);
  collector.start();
  await sleep(100);
  expect(json.requestedUrls).toEqual(['/metrics', '/prometheus/metrics']);
});

async function waitUntil(condition: () => boolean): Promise<void> {
  for (const end = performance.now() + 50_000; performance.now() < end; await sleep(10))
    if (condition()) return;
  throw new Error('the condition was not met within 50 s');
}

test('uses the interval of a target instead of the default', async () => {
  const server = await ScriptedServer.start(respondWith('a 1\n'));
  cleanup.push(() => server.stop());
  const clock = createSystemClock();
  const fast = parseMetricsTarget(server.url());
  const slow = { ...parseMetricsTarget(server.url('/slow/metrics')), access: { intervalMs: 400 } };
  const frames = new Map([fast, slow].map(({ url }) => [url, 0]));
  const collector = new Collector({
    targets: [fast, slow],
    clock,
    intervalMs: 40,
    createFetcher: () =>
      new Fetcher({ clock, limits: { timeoutMs: 2000, encodedBytes: 1e6, decodedBytes: 1e6 } }),
    onFrame: ({ url }) => frames.set(url, frames.get(url)! + 1),
  });
  cleanup.push(() => collector.close());
  await collector.scrapeAll(20_000);
  collector.start();
  await waitUntil(() => frames.get(slow.url)! >= 4);
  expect(frames.get(fast.url)).toBeGreaterThan(frames.get(slow.url)!);
});
