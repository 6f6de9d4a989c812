import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Access,
  createBearerFileAuthorization,
  createSystemClock,
  readTlsConfig,
  type Target,
} from '@org/scrape';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createFetcher } from '../../src/lifecycle/targetFetcher.ts';
import { DEFAULT_SETTINGS } from '../../src/plan/runPlan.ts';

const folder = mkdtempSync(join(tmpdir(), 'fetcher-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tokenFile = join(folder, 'token');
writeFileSync(tokenFile, 't0ken\n');
const readPem = (name: string): string =>
  readFileSync(new URL(`../../../scrape/test/files/tls/${name}`, import.meta.url), 'utf8');

const BODY = 'a 1\n';
const respond: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'text/plain; version=0.0.4');
  response.end(BODY);
};

/** Listens until the end of the test. Returns the port. */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const LONG_TIMEOUT_MS = 20_000;

async function fetchFrom(
  url: string,
  changes: Partial<Target>,
  reachabilityMs: number = LONG_TIMEOUT_MS,
): Promise<Awaited<ReturnType<ReturnType<typeof createFetcher>['fetch']>>> {
  const target = { url, alternatives: [], ...changes };
  const fetcher = createFetcher(target, createSystemClock(), { ...DEFAULT_SETTINGS, reachabilityMs });
  onTestFinished(async () => fetcher.close?.());
  return await fetcher.fetch(url);
}

/** Fetches from a target and returns the request that the server received. */
async function captureRequest(changes: Partial<Target>): Promise<IncomingMessage> {
  let received: IncomingMessage | undefined;
  const port = await listen(
    createServer((request, response) => {
      received = request;
      respond(request, response);
    }),
  );
  const { body, failure } = await fetchFrom(`http://127.0.0.1:${port}/metrics`, changes);
  expect(failure).toBeUndefined();
  expect(Buffer.from(body!).toString()).toBe(BODY);
  return received!;
}

test('requests an uncompressed body without credentials by default', async () => {
  const { headers, method, url } = await captureRequest({});
  expect([method, url]).toEqual(['GET', '/metrics']);
  expect(headers['accept-encoding']).toBe('identity');
  expect(headers).not.toHaveProperty('authorization');
});

const formatBasic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const credentials = { user: 'me', password: 's3cret' };

test.each<[string, Partial<Target>, string]>([
  ['the userinfo of the URL', { credentials }, formatBasic('me:s3cret')],
  ['a token', { access: { authorization: createBearerFileAuthorization(tokenFile) } }, 'Bearer t0ken'],
  [
    'the userinfo of the URL rather than a token',
    { credentials, access: { authorization: createBearerFileAuthorization(tokenFile) } },
    formatBasic('me:s3cret'),
  ],
  [
    'a token rather than a header',
    {
      access: {
        authorization: createBearerFileAuthorization(tokenFile),
        headers: { Authorization: 'Bearer 0ther' },
      },
    },
    'Bearer t0ken',
  ],
  ['a header', { access: { headers: { Authorization: 'Bearer 0ther' } } }, 'Bearer 0ther'],
])('authenticates with %s', async (_, changes, authorization) => {
  expect((await captureRequest(changes)).headers.authorization).toBe(authorization);
});

test('sends the headers of the target, and accepts compression if the target allows it', async () => {
  const { headers } = await captureRequest({ access: { headers: { 'X-Tenant': 'a' }, compressed: true } });
  expect(headers['x-tenant']).toBe('a');
  expect(headers['accept-encoding']).toContain('gzip');
});

test('applies the limits of the target', async () => {
  const port = await listen(createServer(respond));
  const url = `http://127.0.0.1:${port}/metrics`;
  const tooLarge = await fetchFrom(url, { access: { limits: { encodedBytes: BODY.length - 1 } } });
  expect(tooLarge.failure).toMatchObject({ reason: 'too_large' });
  const atLimit = await fetchFrom(url, { access: { limits: { encodedBytes: BODY.length, samples: 1 } } });
  expect(atLimit.failure).toBeUndefined();
});

test.each<[string, Access, number]>([
  ['of the target', { timeoutMs: 100 }, LONG_TIMEOUT_MS],
  ['of the run', {}, 1000],
])('applies the timeout %s', async (_, access, reachabilityMs) => {
  const port = await listen(createServer(() => {}));
  const { failure } = await fetchFrom(`http://127.0.0.1:${port}/metrics`, { access }, reachabilityMs);
  expect(failure).toMatchObject({ reason: 'timeout' });
});

test('applies the TLS settings of the target', async () => {
  const identity = { cert: readPem('selfsigned.pem'), key: readPem('server.key') };
  const url = `https://127.0.0.1:${await listen(createTlsServer(identity, respond))}/metrics`;
  expect((await fetchFrom(url, {})).failure).toMatchObject({ reason: 'tls_untrusted' });
  const insecure = await fetchFrom(url, { access: { tls: readTlsConfig({ insecure: true }) } });
  expect(insecure.failure).toBeUndefined();
  expect(Buffer.from(insecure.body!).toString()).toBe(BODY);
});
