import type { LookupFunction } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Endpoint } from '../../src/endpoint/endpoint.ts';
import type { EndpointEvent } from '../../src/endpoint/eventReporter.ts';
import { parseMetricsTarget } from '../../src/endpoint/target.ts';
import { Fetcher } from '../../src/http/fetcher.ts';
import { createSystemClock } from '../../src/schedule/clock.ts';
import { ScriptedServer, text } from '../support/scriptedServer.ts';

const LIMITS = { timeoutMs: 5000, encodedBytes: 10_000, decodedBytes: 20_000 };
const open: { stop?: () => Promise<void>; close?: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const item of open.splice(0)) await (item.stop?.() ?? item.close?.());
});

/** A DNS server whose answers can be changed. */
class Names {
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

function endpointAt(port: number, names: Names) {
  const events: EndpointEvent[] = [];
  const endpoint = new Endpoint({
    target: parseMetricsTarget(`http://server.example:${port}`),
    fetcher: new Fetcher({ clock: createSystemClock(), limits: LIMITS, lookup: names.lookup }),
    onEvent: event => events.push(event),
  });
  open.push(endpoint);
  return { endpoint, events };
}

test('resolves a name once while all requests succeed', async () => {
  const server = await ScriptedServer.start(text('a 1\n'));
  open.push(server);
  const names = new Names();
  const { endpoint } = endpointAt(server.port, names);
  for (let i = 0; i < 3; i++) await endpoint.scrape();
  expect(names.lookups).toBe(1);
});

test('follows a name that moves when its old address is down', async () => {
  const old = await ScriptedServer.start(text('a 1\n'));
  const names = new Names();
  const { endpoint, events } = endpointAt(old.port, names);
  expect((await endpoint.scrape()).frame).toBeDefined();
  const port = old.port;
  await old.stop();
  const next = await ScriptedServer.start(text('a 2\n'), { port, host: '127.0.0.2' });
  open.push(next);
  names.address = '127.0.0.2';
  await endpoint.scrape();
  expect((await endpoint.scrape()).frame!.values[0]).toBe(2);
  expect(endpoint.health).toMatchObject({
    status: 'active',
    addressChanges: [{ from: '127.0.0.1', to: '127.0.0.2' }],
  });
  expect(events.map(({ kind }) => kind)).toContain('moved');
});

test('follows a name that moves when its old address rejects requests', async () => {
  const old = await ScriptedServer.start(text('a 1\n'));
  const next = await ScriptedServer.start(text('a 2\n'), { port: old.port, host: '127.0.0.2' });
  open.push(old, next);
  const names = new Names();
  const { endpoint } = endpointAt(old.port, names);
  await endpoint.scrape();
  old.listener = text('draining', {}, 503);
  names.address = '127.0.0.2';
  expect((await endpoint.scrape()).failure).toMatchObject({ reason: 'server_error' });
  expect((await endpoint.scrape()).frame!.values[0]).toBe(2);
});

test('reports an unknown name and recovers when it resolves again', async () => {
  const server = await ScriptedServer.start(text('a 1\n'));
  open.push(server);
  const names = new Names();
  const { endpoint } = endpointAt(server.port, names);
  await endpoint.scrape();
  names.address = undefined;
  server.dropConnections();
  const { failure } = await endpoint.scrape();
  expect(failure).toMatchObject({
    reason: 'unknown_host',
    message: 'has a host name that cannot be resolved',
  });
  names.address = '127.0.0.1';
  expect((await endpoint.scrape()).frame).toBeDefined();
  expect(endpoint.health.outages).toHaveLength(1);
  expect(endpoint.health.addressChanges).toEqual([]);
});
