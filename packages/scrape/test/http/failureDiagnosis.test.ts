import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { readTlsConfig } from '../../src/credentials/tlsConfig.ts';
import { Fetcher } from '../../src/http/fetcher.ts';
import { createSystemClock } from '../../src/schedule/clock.ts';
import { readIdentity } from '../support/certificates.ts';
import { respondWith, ScriptedServer } from '../support/scriptedServer.ts';
import { CA, closeAll, LIMITS, open, scrape, serve } from './support/tlsScrapes.ts';

/** The first byte of a TLS handshake record: its content type. */
const TLS_HANDSHAKE = 22;

afterEach(closeAll);

describe('a failed certificate probe', () => {
  const WITHOUT_DATE = /or of an issuer in its chain, is expired/;
  const WITH_DATE = /certificate of host localhost expired on 2020-01-02/;

  /**
   * Starts a proxy that drops the connections for which `shouldDrop` returns true. Connections are numbered
   * from 1. The fetcher alternates between scrapes, which have odd numbers, and certificate probes.
   */
  async function startProxy(
    shouldDrop: (connection: number) => boolean,
  ): Promise<{ url: string; countConnections: () => number }> {
    const inner = await serve(readIdentity('expired'));
    let connections = 0;
    const server = createServer(socket => {
      socket.on('error', () => {});
      connections += 1;
      if (shouldDrop(connections)) return void socket.destroy();
      const upstream = connect(inner.port, '127.0.0.1').on('error', () => {});
      socket.pipe(upstream).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push({ stop: async () => void server.close() });
    const { port } = server.address() as AddressInfo;
    return { url: `https://localhost:${port}/metrics`, countConnections: () => connections };
  }

  test.each<[string, (connection: number) => boolean, RegExp[], number]>([
    [
      'is retried at the next scrape',
      connection => connection === 2,
      [WITHOUT_DATE, WITH_DATE, WITH_DATE],
      5,
    ],
    [
      'is retried at most twice',
      connection => connection % 2 === 0,
      [WITHOUT_DATE, WITHOUT_DATE, WITHOUT_DATE, WITHOUT_DATE],
      7,
    ],
  ])('%s', async (_, shouldDrop, messages, connections) => {
    const { url, countConnections } = await startProxy(shouldDrop);
    const fetcher = new Fetcher({ clock: createSystemClock(), limits: LIMITS, tls: readTlsConfig(CA) });
    open.push(fetcher);
    for (const message of messages) {
      const { failure } = await fetcher.fetch(url);
      expect(failure?.reason).toBe('tls_expired');
      expect(failure?.message).toMatch(message);
    }
    expect(countConnections()).toBe(connections);
  });
});

describe('a TLS mismatch', () => {
  test('reports https:// to a plain HTTP server', async () => {
    const server = await ScriptedServer.start(respondWith('a 1\n'));
    open.push(server);
    const { failure } = await scrape(server.url().replace('http:', 'https:'));
    expect(failure).toMatchObject({ reason: 'tls_not_spoken' });
    expect(failure!.message).toBe(
      `failed the TLS handshake: host 127.0.0.1 does not support TLS; use http://127.0.0.1:${server.port}`,
    );
  });

  test('reports http:// to a TLS server', async () => {
    const server = await serve(readIdentity('server'));
    const { failure } = await scrape(server.url().replace('https:', 'http:'));
    expect(failure).toMatchObject({ reason: 'tls_required' });
    expect(failure!.message).toBe(
      `requires TLS but was scraped over plain HTTP; use https://localhost:${server.port}`,
    );
  });

  test('reports http:// to a TLS server that responds with 400, like Go and nginx', async () => {
    const inner = await serve(readIdentity('server'));
    const proxy = createServer(socket => {
      socket.on('error', () => {});
      socket.once('data', first => {
        if (first[0] !== TLS_HANDSHAKE)
          return void socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
        const upstream = connect(inner.port, '127.0.0.1').on('error', () => {});
        upstream.write(first);
        socket.pipe(upstream).pipe(socket);
      });
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    open.push({ stop: async () => void proxy.close() });
    const { port } = proxy.address() as AddressInfo;
    expect((await scrape(`http://localhost:${port}/metrics`)).failure).toMatchObject({
      reason: 'tls_required',
    });
  });

  test('reports a 400 of a plain HTTP server as an HTTP status', async () => {
    const server = await ScriptedServer.start(respondWith('no', {}, 400));
    open.push(server);
    expect((await scrape(server.url())).failure).toMatchObject({ reason: 'http_status' });
  });

  test('probes a server that supports neither HTTP nor TLS only once', async () => {
    let connections = 0;
    const server = createServer(socket => {
      connections++;
      socket.on('error', () => {}).end('SSH-2.0-OpenSSH\r\n');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const fetcher = new Fetcher({ clock: createSystemClock(), limits: LIMITS });
    open.push({ stop: async () => void server.close() }, fetcher);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
    const { failure } = await fetcher.fetch(url);
    expect(failure).toMatchObject({
      reason: 'not_http',
      message: 'sent a response that is not HTTP',
    });
    const connectionsBefore = connections;
    await fetcher.fetch(url);
    expect(connections - connectionsBefore).toBe(1);
  });
});
