import { request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { MetricsPortError, MetricsServer } from '../../src/page/metricsServer.ts';
import { createBatch } from '../support/batches.ts';

const servers: MetricsServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function startServer(port = 0): Promise<{ server: MetricsServer; url: string }> {
  const server = new MetricsServer();
  servers.push(server);
  return { server, url: await server.listen(port) };
}

test('serves the last values in the format that the client accepts', async () => {
  const { server, url } = await startServer();
  expect(await (await fetch(url)).text()).toBe('');
  server.update(createBatch(1));
  server.update(createBatch(2));
  const text = await fetch(url);
  expect(text.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await text.text()).toMatch(/servelens_client_requests_in_flight\{.*\} 2\n$/);
  const open = await fetch(url, { headers: { accept: 'application/openmetrics-text;version=1.0.0' } });
  expect(open.headers.get('content-type')).toMatch(/^application\/openmetrics-text/);
  expect(await open.text()).toMatch(/# EOF\n$/);
});

test.each([
  ['GET', '/metrics?x=1', 200],
  ['HEAD', '/metrics', 200],
  ['POST', '/metrics', 405],
  ['GET', '/', 404],
  ['GET', '/metrics/', 404],
])('%s %s responds with %i', async (method, path, status) => {
  const { url } = await startServer();
  expect((await fetch(new URL(path, url), { method })).status).toBe(status);
});

test('refuses requests to another host name', async () => {
  const { url } = await startServer();
  const status = await new Promise(resolve => {
    request(url, { headers: { host: 'attacker.example' } }, response => resolve(response.statusCode)).end();
  });
  expect(status).toBe(403);
});

test('a port that is in use is an error for the user', async () => {
  const { url } = await startServer();
  const port = Number(new URL(url).port);
  const error = await startServer(port).catch(caught => caught);
  expect(error).toBeInstanceOf(MetricsPortError);
  expect(error.message).toBe(`cannot use port ${port}: the port is in use`);
});
