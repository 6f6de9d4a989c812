import type { LookupFunction } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Endpoint } from '../../src/endpoint/endpoint.ts';
import type { EndpointEvent } from '../../src/endpoint/eventReporter.ts';
import { parseMetricsTarget } from '../../src/endpoint/target.ts';
import { Fetcher } from '../../src/http/fetcher.ts';
import { createSystemClock } from '../../src/schedule/clock.ts';
import { respondWith, ScriptedServer } from '../support/scriptedServer.ts';

const LIMITS = { timeoutMs: 5000, encodedBytes: 10_000, decodedBytes: 20_000 };
const open: { stop?: () => Promise<void>; close?: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const item of open.splice(0)) await (item.stop?.() ?? item.close?.());
});

/** A resolver whose address can be changed. */
class TestResolver {
  address: string | undefined = '127.0.0.1';
  lookups = 0;

  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.lookups++;
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
    if (this.address === undefined) callback(error, '', 4);
    else if (options.all) callback(null, [{ address: this.address, family: 4 }]);
    else callback(null, this.address, 4);
  };
}

function createEndpoint(port: number, resolver: TestResolver) {
  const events: EndpointEvent[] = [];
  const endpoint = new Endpoint({
    target: parseMetricsTarget(`http://server.example:${port}`),
    fetcher: new Fetcher({ clock: createSystemClock(), limits: LIMITS, lookup: resolver.lookup }),
    onEvent: event => events.push(event),
  });
  open.push(endpoint);
  return { endpoint, events };
}

test('resolves a host name once while all requests succeed', async () => {
  const server = await ScriptedServer.start(respondWith('a 1\n'));
  open.push(server);
  const resolver = new TestResolver();
  const { endpoint } = createEndpoint(server.port, resolver);
  for (let i = 0; i < 3; i++) await endpoint.scrape();
  expect(resolver.lookups).toBe(1);
});

test('connects to the new address of a host name when its old address is down', async () => {
  const old = await ScriptedServer.start(respondWith('a 1\n'));
  const resolver = new TestResolver();
  const { endpoint, events } = createEndpoint(old.port, resolver);
  expect((await endpoint.scrape()).frame).toBeDefined();
  const port = old.port;
  await old.stop();
  const next = await ScriptedServer.start(respondWith('a 2\n'), { port, host: '127.0.0.2' });
  open.push(next);
  resolver.address = '127.0.0.2';
  await endpoint.scrape();
  expect((await endpoint.scrape()).frame!.values[0]).toBe(2);
  expect(endpoint.health).toMatchObject({
    status: 'active',
    addressChanges: [{ from: '127.0.0.1', to: '127.0.0.2' }],
  });
  expect(events.map(({ kind }) => kind)).toContain('address_changed');
});

test('connects to the new address of a host name when its old address rejects requests', async () => {
  const old = await ScriptedServer.start(respondWith('a 1\n'));
  const next = await ScriptedServer.start(respondWith('a 2\n'), { port: old.port, host: '127.0.0.2' });
  open.push(old, next);
  const resolver = new TestResolver();
  const { endpoint } = createEndpoint(old.port, resolver);
  await endpoint.scrape();
  old.listener = respondWith('draining', {}, 503);
  resolver.address = '127.0.0.2';
  expect((await endpoint.scrape()).failure).toMatchObject({ reason: 'server_error' });
  expect((await endpoint.scrape()).frame!.values[0]).toBe(2);
});

test('reports an unknown host name and recovers when the name resolves again', async () => {
  const server = await ScriptedServer.start(respondWith('a 1\n'));
  open.push(server);
  const resolver = new TestResolver();
  const { endpoint } = createEndpoint(server.port, resolver);
  await endpoint.scrape();
  resolver.address = undefined;
  server.dropConnections();
  const { failure } = await endpoint.scrape();
  expect(failure).toMatchObject({
    reason: 'unknown_host',
    message: 'has a host name that cannot be resolved',
  });
  resolver.address = '127.0.0.1';
  expect((await endpoint.scrape()).frame).toBeDefined();
  expect(endpoint.health.outages).toHaveLength(1);
  expect(endpoint.health.addressChanges).toEqual([]);
});
