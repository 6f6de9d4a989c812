import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TestEndpoint, TestLoad } from '../../live/test/support.ts';
import { MAX_VALUES_PER_SECOND } from '../src/activeRun.ts';
import { createLocalDispatcher } from '../src/dispatch/localDispatcher.ts';
import { Push, type PushReport } from '../src/push.ts';
import type { PushTarget } from '../src/target.ts';
import { decodeWrite, listSymbolSeries, type Message } from './support/decode.ts';
import { createExports } from './support/exports.ts';
import { accept, findFreePort, Receiver, type Respond, respondWith } from './support/receiver.ts';
import { startRun } from './support/run.ts';

const receivers: Receiver[] = [];
beforeEach(() => {
  // Live values are read when the test advances the timer.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(receivers.splice(0).map(receiver => receiver.close()));
});

async function startReceiver(respond: Respond = accept): Promise<{ receiver: Receiver; url: string }> {
  const receiver = new Receiver(respond);
  receivers.push(receiver);
  return { receiver, url: `${await receiver.listen()}/write` };
}

function createTarget(url: string, protocol: PushTarget['protocol'] = 'remote-write'): PushTarget {
  return {
    protocol,
    url,
    headers: { authorization: 'Bearer secret-token' },
    redact: text => text.replaceAll('secret-token', '<redacted>'),
  };
}

function createPush(...targets: readonly PushTarget[]): Push {
  return new Push({
    targets,
    labels: { team: 'search' },
    version: '1.2.3',
    createDispatcher: createLocalDispatcher,
  });
}

/** Parses a series such as `name{label="value"} 1 @1000`. */
function readSeries(text: string): {
  readonly name: string;
  readonly value: string;
  readonly timeMs: number;
} {
  const [, name, value, time] = /^(.*) (\S+) @(\d+)$/.exec(text)!;
  return { name: name!, value: value!, timeMs: Number(time) };
}

/** Lets a second pass. */
function tick(): void {
  vi.advanceTimersByTime(1000);
}

const sum = ({ destinations: [one] }: PushReport) =>
  one!.sentPoints + one!.droppedPoints + one!.rejectedPoints + one!.undeliveredPoints;

test('pushes the values of the client and the servers each second, and the statistics at the end', async () => {
  const { receiver, url } = await startReceiver();
  const push = createPush(createTarget(url));
  const load = startRun(push);
  load.progress = { ...load.progress, sent: 5, inFlight: 2 };
  tick();
  tick();
  push.handle({ type: 'load_ended' });
  tick();
  await push.endRun(createExports());
  const report = await push.close(5000);
  const messages = receiver.requests.map(({ body }) => listSymbolSeries(decodeWrite('Request', body)));
  // One at the start, one per second, one at the end of the load, the end of the series, and the statistics.
  expect(messages).toHaveLength(6);
  expect(messages[1]!.join('\n')).toMatch(
    /servelens_client_requests_in_flight\{[^}]*run_id="run-1",team="search"\} 2 @/,
  );
  expect(messages[1]!.join('\n')).toMatch(/servelens_server_requests_running\{.*\} 3 @/);
  expect(messages[1]!.join('\n')).toMatch(/servelens_endpoint_up\{endpoint="localhost:8000",.*\} 1 @/);
  expect(messages[5]!.join('\n')).toMatch(
    /servelens_result_client\{.*metric="request_latency".*statistic="p99".*\} 250 @/,
  );
  expect(report).toMatchObject({
    runIds: ['run-1'],
    destinations: [
      { protocol: 'remote-write', version: '2.0', url, rejectedPoints: 0, undeliveredPoints: 0 },
    ],
  });
});

test('pushes the same values to several receivers, with their credentials', async () => {
  const [first, second] = [await startReceiver(), await startReceiver()];
  const login = second.url.replace('//', '//me:pass%20word@');
  const push = createPush(createTarget(first.url), { ...createTarget(login, 'otlp'), headers: {} });
  startRun(push);
  const { destinations } = await push.close(5000);
  expect(first.receiver.requests[0]!.headers.authorization).toBe('Bearer secret-token');
  const basic = `Basic ${Buffer.from('me:pass word').toString('base64')}`;
  expect(second.receiver.requests[0]!.headers.authorization).toBe(basic);
  expect(destinations.map(({ url, sentPoints }) => [url, sentPoints > 0])).toEqual([
    [first.url, true],
    [second.url, true],
  ]);
});

test('values of a receiver that is down at the start arrive when it is up', async () => {
  const port = await findFreePort();
  const push = createPush(createTarget(`http://127.0.0.1:${port}/write`));
  startRun(push);
  tick();
  const receiver = new Receiver(accept);
  receivers.push(receiver);
  await receiver.listen(port);
  const { destinations } = await push.close(20_000);
  expect(destinations[0]).toMatchObject({ undeliveredPoints: 0, rejectedPoints: 0 });
  // Two readings, and the end of their series.
  expect(receiver.requests).toHaveLength(3);
});

test('values of a receiver that dies during the run are counted', async () => {
  const { receiver, url } = await startReceiver();
  const push = createPush(createTarget(url));
  startRun(push);
  await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBe(1);
  await receivers.pop()!.close();
  tick();
  const report = await push.close(0);
  const [destination] = report.destinations;
  expect(destination!.sentPoints).toBeGreaterThan(0);
  expect(destination!.undeliveredPoints).toBe(sum(report) - destination!.sentPoints);
  expect(destination!.undeliveredPoints).toBeGreaterThan(0);
});

test('a receiver that does not respond does not delay the run', async () => {
  const { receiver, url } = await startReceiver(() => {});
  const push = createPush(createTarget(url));
  startRun(push);
  await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBe(1);
  for (let second = 0; second < 200; second++) tick();
  const { destinations } = await push.close(0);
  expect(destinations[0]).toMatchObject({
    sentPoints: 0,
    lastProblem: 'no response before the end of the run',
  });
  expect(destinations[0]!.droppedPoints).toBeGreaterThan(0);
  expect(receiver.requests).toHaveLength(1);
});

test('a receiver that requests a delay gets the same values again', async () => {
  const { receiver, url } = await startReceiver((response, received, index) =>
    (index === 0 ? respondWith(429, { 'retry-after': '1' }) : accept)(response, received, index),
  );
  const push = createPush(createTarget(url));
  startRun(push);
  const { destinations } = await push.close(20_000);
  expect(destinations[0]).toMatchObject({ retries: 1, undeliveredPoints: 0, lastProblem: 'HTTP 429' });
  expect(receiver.requests[1]!.body.equals(receiver.requests[0]!.body)).toBe(true);
});

test.each([
  [400, 'out of order', 'HTTP 400: out of order'],
  [401, 'invalid token secret-token', 'HTTP 401: invalid token <redacted>'],
])('values that a receiver rejects with %i are not sent again', async (status, body, lastProblem) => {
  const { receiver, url } = await startReceiver(respondWith(status, {}, body));
  const push = createPush(createTarget(url));
  startRun(push);
  const report = await push.close(5000);
  // A reading, and the end of its series.
  expect(receiver.requests).toHaveLength(2);
  expect(report.destinations[0]).toMatchObject({ sentPoints: 0, retries: 0, lastProblem });
  expect(report.destinations[0]!.rejectedPoints).toBe(sum(report));
});

test('the values of each run of a sweep have its ID', async () => {
  const { receiver, url } = await startReceiver();
  const push = createPush(createTarget(url));
  for (const id of ['run-1', 'run-2']) {
    startRun(push, id);
    push.handle({ type: 'load_ended' });
    await push.endRun(createExports());
  }
  const { runIds } = await push.close(5000);
  expect(runIds).toEqual(['run-1', 'run-2']);
  const ids = receiver.requests.map(({ body }) => {
    const { symbols }: Message = decodeWrite('Request', body);
    return symbols.find((text: string) => /^run-\d$/.test(text));
  });
  expect(ids.toSorted()).toEqual([...Array(4).fill('run-1'), ...Array(4).fill('run-2')]);
});

test('the series of a run end with the run, at a later time than their last values', async () => {
  const { receiver, url } = await startReceiver();
  const push = createPush(createTarget(url));
  startRun(push);
  tick();
  push.handle({ type: 'load_ended' });
  await push.close(5000);
  const messages = receiver.requests.map(({ body }) => listSymbolSeries(decodeWrite('Request', body)));
  const [, , last, end] = messages.map(series => series.map(readSeries));
  expect(end!.map(({ name }) => name).toSorted()).toEqual(last!.map(({ name }) => name).toSorted());
  expect(new Set(end!.map(({ value }) => value))).toEqual(new Set(['NaN']));
  const times = messages.map(series => readSeries(series[0]!).timeMs);
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
});

test('the series of an endpoint that no longer responds end, and start again with its next scrape', async () => {
  const { receiver, url } = await startReceiver();
  const push = createPush(createTarget(url));
  const load = new TestLoad();
  const endpoint = new TestEndpoint().scrape(1, { 'gauge vllm:num_requests_running': 3 });
  push.startRun({}, {});
  push.handle({ type: 'run_created', benchmarkId: 'run-1' });
  push.handle({ type: 'load_started', active: load.createActive([endpoint]) });
  endpoint.fail();
  tick();
  Object.assign(endpoint.health, { status: 'active', lastOutage: undefined });
  endpoint.scrape(3, { 'gauge vllm:num_requests_running': 4 });
  tick();
  await push.close(5000);
  const running = receiver.requests.flatMap(({ body }) =>
    listSymbolSeries(decodeWrite('Request', body))
      .map(readSeries)
      .filter(({ name }) => name.startsWith('servelens_endpoint_requests_running'))
      .map(({ value }) => value),
  );
  expect(running).toEqual(['3', 'NaN', '4', 'NaN']);
});

test('a run with many values is read less often', async () => {
  const { receiver, url } = await startReceiver();
  const push = createPush(createTarget(url));
  push.startRun({}, {});
  push.handle({ type: 'run_created', benchmarkId: 'run-1' });
  const endpoints = Array.from({ length: MAX_VALUES_PER_SECOND }, (_, index) =>
    new TestEndpoint(`http://localhost:${index + 1}/metrics`).scrape(1, { 'gauge other': 1 }),
  );
  push.handle({ type: 'load_started', active: new TestLoad().createActive(endpoints) });
  // Each endpoint has two values: 10,000 in all, and a few of the run.
  for (let second = 0; second < 7; second++) tick();
  await push.close(20_000);
  const progress = receiver.requests.flatMap(({ body }) =>
    listSymbolSeries(decodeWrite('Request', body)).filter(
      text => text.startsWith('servelens_run_info') && !text.includes(' NaN '),
    ),
  );
  expect(progress).toHaveLength(3);
});

test('an error while values are read ends the reading, and is reported', async () => {
  const { url } = await startReceiver();
  const push = createPush(createTarget(url));
  const load = startRun(push);
  load.progress = undefined as never;
  tick();
  expect((await push.close(5000)).problem).toMatch(/undefined/);
});

test('an error while statistics are read does not fail the run, and is reported', async () => {
  const { url } = await startReceiver();
  const push = createPush(createTarget(url));
  startRun(push);
  await push.endRun({ serverMetrics: { metrics: null } as never });
  expect((await push.close(5000)).problem).toMatch(/null/);
});

test('the metrics page shows the last values, without receivers', async () => {
  const push = createPush();
  const url = await push.openPage(0);
  startRun(push);
  tick();
  expect(await (await fetch(url)).text()).toMatch(
    /servelens_run_info\{.*phase="profiling",run_id="run-1".*\} 1/,
  );
  await push.close(0);
  await expect(fetch(url)).rejects.toThrow();
});
