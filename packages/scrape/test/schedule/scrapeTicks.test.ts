import { expect, test } from 'vitest';
import type { EndpointHealth } from '../../src/endpoint/health.ts';
import type { Scrape } from '../../src/endpoint/scrape.ts';
import { AdaptiveInterval } from '../../src/schedule/adaptiveInterval.ts';
import { ScrapeTicks } from '../../src/schedule/scrapeTicks.ts';

const SUCCESS = { frame: {} } as Scrape;
const FAILURE = { failure: {} } as Scrape;

/** Creates the ticks of an endpoint. `end` ends its in-flight scrape. */
function createTicks(status: EndpointHealth['status'] = 'active') {
  const health = { status, lateScrapes: 0 };
  const endpoint = { health, inFlight: undefined as Promise<Scrape> | undefined };
  const interval = new AdaptiveInterval(100);
  const time = { nowMs: 0 };
  let started = 0;
  let resolve: (scrape: Scrape | undefined) => void = () => {};
  const ticks = new ScrapeTicks({
    endpoint,
    interval,
    clock: { nowNs: () => 0n, monotonicMs: () => time.nowMs },
    scrape: () => {
      started += 1;
      const scrape = new Promise<Scrape>(callback => {
        resolve = callback as typeof resolve;
      });
      endpoint.inFlight = scrape;
      return scrape;
    },
  });
  const end = async (scrape: Scrape | undefined): Promise<void> => {
    const { inFlight } = endpoint;
    endpoint.inFlight = undefined;
    resolve(scrape);
    await inFlight;
    await Promise.resolve();
  };
  return { ticks, endpoint, health, interval, time, end, countStarted: () => started };
}

test('scrapes at each tick if no scrape is in flight', async () => {
  const { ticks, end, health, countStarted } = createTicks();
  for (const tick of [0, 1, 2]) {
    ticks.handle(0, tick);
    await end(SUCCESS);
  }
  expect(countStarted()).toBe(3);
  expect(health.lateScrapes).toBe(0);
});

test.each([
  ['counts ticks during a scrape as late if it succeeds', SUCCESS, 3],
  ['does not count ticks during a scrape that fails', FAILURE, 0],
  ['does not count ticks during a scrape of an endpoint that is removed', undefined, 0],
])('%s', async (_, scrape, expected) => {
  const { ticks, end, health, countStarted } = createTicks();
  ticks.handle(0, 0);
  ticks.handle(0, 1);
  ticks.handle(1, 3);
  expect(countStarted()).toBe(1);
  await end(scrape);
  expect(health.lateScrapes).toBe(expected);
});

test('counts missed ticks as late', async () => {
  const { ticks, health } = createTicks();
  ticks.handle(4, 4);
  expect(health.lateScrapes).toBe(4);
});

test('leaves out the ticks that a longer interval leaves out', async () => {
  const { ticks, end, interval, health, countStarted } = createTicks();
  interval.recordDuration(150);
  for (const tick of [0, 1, 2, 3]) {
    ticks.handle(0, tick);
    await end(SUCCESS);
  }
  expect(countStarted()).toBe(2);
  expect(health.lateScrapes).toBe(0);
});

test('does not count ticks that fall into a scrape that no tick started', () => {
  const { ticks, endpoint, health, countStarted } = createTicks();
  endpoint.inFlight = new Promise(() => {});
  ticks.handle(0, 0);
  ticks.handle(0, 1);
  expect(countStarted()).toBe(0);
  expect(health.lateScrapes).toBe(0);
});

test('scrapes an endpoint without data at most once per second, and counts no ticks', async () => {
  const { ticks, end, time, health, countStarted } = createTicks('no_data');
  for (const nowMs of [0, 100, 999, 1000, 1100, 2000]) {
    time.nowMs = nowMs;
    ticks.handle(3, nowMs / 100);
    await end(FAILURE);
  }
  expect(countStarted()).toBe(3);
  expect(health.lateScrapes).toBe(0);
});
