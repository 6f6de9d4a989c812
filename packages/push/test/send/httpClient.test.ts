import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { HttpClient, SendError } from '../../src/send/httpClient.ts';

const servers: Server[] = [];
const clients: HttpClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listen(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/write`);
}

function createClient(url: URL, timeoutMs?: number): HttpClient {
  const client = new HttpClient(url, { authorization: 'Bearer x' }, timeoutMs);
  clients.push(client);
  return client;
}

const BODY = { body: Buffer.from('data'), headers: { 'content-type': 'text/x' } };
const NEVER = new AbortController().signal;

test('sends the body with all headers, and reads status, headers and body', async () => {
  let seen = '';
  const url = await listen((request, response) => {
    const { authorization, 'content-type': type, 'content-length': length } = request.headers;
    request.on('data', chunk => {
      seen = `${request.method} ${request.url} ${authorization} ${type} ${length} ${chunk}`;
    });
    request.on('end', () => response.writeHead(429, { 'Retry-After': '3' }).end('slow'));
  });
  const reply = await createClient(url).send(BODY, NEVER);
  expect(seen).toBe('POST /write Bearer x text/x 4 data');
  expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
  expect(Buffer.from(reply.body).toString()).toBe('slow');
});

test('does not follow redirects', async () => {
  const url = await listen((request, response) => {
    request.resume();
    response.writeHead(302, { location: '/other' }).end();
  });
  expect((await createClient(url).send(BODY, NEVER)).status).toBe(302);
});

test('bounds the body that it keeps', async () => {
  const url = await listen((request, response) => {
    request.resume();
    for (let i = 0; i < 64; i++) response.write('x'.repeat(16_384));
    response.end();
  });
  expect((await createClient(url).send(BODY, NEVER)).body.length).toBeLessThan(200_000);
});

test('a receiver that is down is an error for the user', async () => {
  const url = await listen(() => {});
  const server = servers.pop()!;
  await new Promise(resolve => server.close(resolve));
  const error = await createClient(url)
    .send(BODY, NEVER)
    .catch(caught => caught);
  expect(error).toBeInstanceOf(SendError);
  expect(error.message).toBe('connection refused');
});

test('a receiver that does not respond is an error for the user', async () => {
  const url = await listen(request => request.resume());
  const error = await createClient(url, 50)
    .send(BODY, NEVER)
    .catch(caught => caught);
  expect(error.message).toBe('no response within 0.05 s');
});

test('a receiver that closes the connection is an error for the user', async () => {
  const url = await listen(request => request.socket.resetAndDestroy());
  const error = await createClient(url)
    .send(BODY, NEVER)
    .catch(caught => caught);
  expect(error.message).toBe('connection closed by the receiver');
});

test('the end of the run cancels a request', async () => {
  const ended = new AbortController();
  const url = await listen(request => {
    request.resume();
    ended.abort();
  });
  await expect(createClient(url).send(BODY, ended.signal)).rejects.toBeInstanceOf(SendError);
});
