import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { Fetcher, type FetcherOptions } from '../../src/http/fetcher.ts';
import { createSystemClock } from '../../src/schedule/clock.ts';
import { respondWith, ScriptedServer } from '../support/scriptedServer.ts';

const LIMITS = { timeoutMs: 20_000, encodedBytes: 10_000, decodedBytes: 20_000 };
/** Limits for scrapes of servers that never respond. */
const SHORT_LIMITS = { ...LIMITS, timeoutMs: 300 };
const open: { stop?: () => Promise<void>; close?: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const item of open.splice(0)) await (item.stop?.() ?? item.close?.());
});

async function fetchFrom(
  listener: RequestListener,
  path = '/metrics',
  { headers = {}, limits = LIMITS }: Partial<Pick<FetcherOptions, 'headers' | 'limits'>> = {},
) {
  const server = await ScriptedServer.start(listener);
  const fetcher = new Fetcher({ clock: createSystemClock(), limits, headers });
  open.push(fetcher, server);
  return { fetched: await fetcher.fetch(server.url(path)), server, fetcher };
}

test('returns a body with its timestamps and size', async () => {
  const { fetched } = await fetchFrom(respondWith('a 1\n'));
  expect(Buffer.from(fetched.body!).toString()).toBe('a 1\n');
  expect(fetched).toMatchObject({ status: 200, encodedBytes: 4, contentType: 'text/plain; version=0.0.4' });
  expect(fetched.failure).toBeUndefined();
  const nowNs = BigInt(Date.now()) * 1_000_000n;
  expect(fetched.firstByteNs! - fetched.sentNs).toBeGreaterThan(0n);
  expect(nowNs - fetched.sentNs).toBeLessThan(5_000_000_000n);
});

test.each([
  ['gzip', gzipSync('a 1\n')],
  ['deflate', deflateSync('a 1\n')],
  ['deflate', deflateRawSync('a 1\n')],
  ['br', brotliCompressSync('a 1\n')],
  ['identity', Buffer.from('a 1\n')],
])('decodes %s although it was not requested', async (encoding, body) => {
  let acceptEncoding: string | undefined;
  const { fetched } = await fetchFrom((request, response) => {
    acceptEncoding = request.headers['accept-encoding'] as string;
    respondWith(body, { 'content-encoding': encoding })(request, response);
  });
  expect(Buffer.from(fetched.body!).toString()).toBe('a 1\n');
  expect(acceptEncoding).toBe('identity');
});

describe('returns failures with a reason', () => {
  const cases: [string, RequestListener, string, RegExp][] = [
    ['500', respondWith('boom', {}, 500), 'server_error', /^responded with HTTP status 500; expected 200$/],
    ['503', respondWith('boom', {}, 503), 'server_error', /503/],
    [
      '401',
      respondWith('no', {}, 401),
      'unauthorized',
      /^responded with HTTP status 401; expected 200: pass credentials with --bearer-token-file or --basic-auth-file$/,
    ],
    [
      '403',
      respondWith('no', {}, 403),
      'forbidden',
      /^responded with HTTP status 403; expected 200: pass credentials/,
    ],
    ['404', respondWith('no', {}, 404), 'not_found', /^responded with HTTP status 404; expected 200$/],
    ['405', respondWith('no', {}, 405), 'http_status', /^responded with HTTP status 405; expected 200$/],
    ['204', respondWith('', {}, 204), 'http_status', /204/],
    [
      'an unexpected 100 Continue',
      (_, response) => {
        response.writeContinue();
        response.end('a 1\n');
      },
      'http_status',
      /^responded with unexpected HTTP status 100 or 101$/,
    ],
    [
      'two Content-Length headers',
      (_, response) =>
        void response.socket!.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\na 1\n'),
      'connection_closed',
      /^sent a body that does not match its Content-Length$/,
    ],
    [
      'a JSON content type',
      respondWith('[]', { 'content-type': 'application/json; charset=utf-8' }),
      'not_prometheus',
      /non-Prometheus content-type 'application\/json'; expected text\/plain/,
    ],
    [
      'a body shorter than its Content-Length',
      (_, response) =>
        void response.writeHead(200, { 'content-length': '100' }).write('a 1\n', () => response.destroy()),
      'connection_closed',
      /before the response was complete|another length/,
    ],
    [
      'a truncated chunked body',
      (_, response) => void response.write('a 1\n', () => response.destroy()),
      'connection_closed',
      /closed the connection/,
    ],
    ['no response', () => {}, 'timeout', /complete response within 0.3 s/],
    [
      'an incomplete body',
      (_, response) => void response.write('a 1\n'),
      'timeout',
      /complete response within 0.3 s/,
    ],
    [
      'a large body',
      respondWith('x'.repeat(10_001)),
      'too_large',
      /^sent a body of at least 10001 bytes; the limit is 10000; use --limit encoded_bytes=N to raise it$/,
    ],
    [
      'a large body with a Content-Length',
      respondWith('x'.repeat(10_001), { 'content-length': '10001' }),
      'too_large',
      /^sent a body of 10001 bytes; the limit is 10000/,
    ],
    [
      'a gzip bomb',
      respondWith(gzipSync('x'.repeat(1_000_000)), { 'content-encoding': 'gzip' }),
      'too_large',
      /^sent 1003 bytes of gzip that decompress to more than 20000 bytes; the limit is 20000; use --limit decoded_bytes=N to raise it$/,
    ],
    [
      'invalid gzip',
      respondWith('hello', { 'content-encoding': 'gzip' }),
      'encoding',
      /gzip body that cannot be decompressed/,
    ],
    [
      'an invalid encoding name',
      respondWith('hello', { 'content-encoding': 'Bearer x' }),
      'encoding',
      /^sent a content-encoding that is not a valid name; expected gzip/,
    ],
    [
      'an unknown encoding',
      respondWith('hello', { 'content-encoding': 'lzw' }),
      'encoding',
      /"lzw"; expected gzip/,
    ],
    [
      'a redirect to another host',
      respondWith('', { location: 'http://127.0.0.2:1/metrics' }, 302),
      'redirect',
      /another host, http:\/\/127.0.0.2:1, which is not followed/,
    ],
    [
      'a redirect to another port',
      respondWith('', { location: 'http://127.0.0.1:1/metrics' }, 301),
      'redirect',
      /another host, http:\/\/127.0.0.1:1, which is not followed/,
    ],
    [
      'a redirect to a file',
      respondWith('', { location: 'file:///etc/passwd' }, 301),
      'redirect',
      /another host, a URL with file:/,
    ],
    [
      'a redirect to an invalid URL',
      respondWith('', { location: 'http://[' }, 301),
      'redirect',
      /an invalid URL/,
    ],
    ['a redirect loop', respondWith('', { location: '/metrics' }, 307), 'redirect', /more than 3 times/],
    [
      'a response that is not HTTP',
      (request, _) => void request.socket.end('SSH-2.0-OpenSSH\r\n'),
      'not_http',
      /^sent a response that is not HTTP$/,
    ],
  ];
  test.each(cases)('%s', async (_, listener, reason, message) => {
    const limits = reason === 'timeout' ? SHORT_LIMITS : LIMITS;
    const { fetched } = await fetchFrom(listener, '/metrics', { limits });
    expect(fetched.body).toBeUndefined();
    expect(fetched.failure).toMatchObject({ reason });
    expect(fetched.failure!.message).toMatch(message);
  });

  test('reports a refused connection and an unknown host', async () => {
    const { server, fetcher } = await fetchFrom(respondWith('a 1\n'));
    const url = server.url();
    await server.stop();
    expect((await fetcher.fetch(url)).failure).toMatchObject({ reason: 'refused' });
    const lookupFetcher = new Fetcher({ clock: createSystemClock(), limits: SHORT_LIMITS });
    open.push(lookupFetcher);
    const { failure } = await lookupFetcher.fetch('http://nobody.invalid:1/metrics');
    expect(['unknown_host', 'timeout']).toContain(failure!.reason);
  });

  test('does not read JSON bodies', async () => {
    let closed: Promise<unknown> | undefined;
    const { fetched } = await fetchFrom((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write('x'), 5);
      closed = once(response, 'close').finally(() => clearInterval(timer));
    });
    expect(fetched).toMatchObject({ encodedBytes: 0, failure: { reason: 'not_prometheus' } });
    await closed;
  });
});

test('follows redirects within the host', async () => {
  const { fetched, server } = await fetchFrom((request, response) => {
    if (request.url === '/metrics') respondWith('', { location: '/metrics/' }, 307)(request, response);
    else respondWith('a 1\n')(request, response);
  });
  expect(Buffer.from(fetched.body!).toString()).toBe('a 1\n');
  expect(fetched.url).toBe(server.url('/metrics/'));
  expect(server.requestedUrls).toEqual(['/metrics', '/metrics/']);
});

test('sends headers and accepts only the classic text format', async () => {
  let headers: Record<string, unknown> = {};
  await fetchFrom(
    (request, response) => {
      headers = request.headers;
      respondWith('a 1\n')(request, response);
    },
    '/metrics',
    { headers: { authorization: 'Bearer x' } },
  );
  expect(headers).toMatchObject({ authorization: 'Bearer x', 'user-agent': 'servelens' });
  expect(headers.accept).toMatch(/^text\/plain;version=0\.0\.4/);
  expect(headers.accept).not.toMatch(/openmetrics/);
});

test('reuses the connection', async () => {
  const ports = new Set<number>();
  const { server, fetcher } = await fetchFrom((request, response) => {
    ports.add(request.socket.remotePort!);
    respondWith('a 1\n')(request, response);
  });
  for (let i = 0; i < 5; i++) expect((await fetcher.fetch(server.url())).failure).toBeUndefined();
  expect(ports.size).toBe(1);
});

test('requests compressed bodies if configured', async () => {
  let acceptEncoding: unknown;
  const server = await ScriptedServer.start((request, response) => {
    acceptEncoding = request.headers['accept-encoding'];
    respondWith(gzipSync('a 1\n'), { 'content-encoding': 'gzip' })(request, response);
  });
  const fetcher = new Fetcher({ clock: createSystemClock(), limits: LIMITS, compressed: true });
  open.push(fetcher, server);
  expect(Buffer.from((await fetcher.fetch(server.url())).body!).toString()).toBe('a 1\n');
  expect(acceptEncoding).toBe('gzip, deflate');
});

test('reports rejected credentials', async () => {
  const { fetched } = await fetchFrom(respondWith('no', {}, 401), '/metrics', {
    headers: { Authorization: 'Bearer x' },
  });
  expect(fetched.failure!.message).toBe(
    'responded with HTTP status 401; expected 200: the credentials were rejected',
  );
});

test('returns the server address, and the URL of a redirect without its query', async () => {
  const { fetched, server } = await fetchFrom((request, response) => {
    if (request.url === '/metrics') respondWith('', { location: '/m?s=hunter2' }, 307)(request, response);
    else respondWith('a 1\n')(request, response);
  });
  expect(fetched).toMatchObject({ address: '127.0.0.1', url: server.url('/m') });
  expect(server.requestedUrls).toEqual(['/metrics', '/m?s=hunter2']);
});

test('ignores credentials in a redirect within the host', async () => {
  let authorization: unknown = 'none';
  const { fetched, server } = await fetchFrom((request, response) => {
    authorization = request.headers.authorization;
    const { port } = request.socket.address() as { port: number };
    if (request.url === '/metrics')
      respondWith('', { location: `http://me:hunter2@127.0.0.1:${port}/m` }, 307)(request, response);
    else respondWith('a 1\n')(request, response);
  });
  expect(fetched.url).toBe(server.url('/m'));
  expect(authorization).toBeUndefined();
});
