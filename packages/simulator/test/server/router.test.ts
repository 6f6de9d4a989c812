import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { readExposition, readSampleValue } from '../support/exposition.ts';
import { model, post, sendRaw, startSimulator } from '../support/server.ts';

test.each([
  ['GET', '/health', 200],
  ['GET', '/v1/models', 200],
  ['GET', '/metrics', 200],
  ['GET', '/metrics/', 200],
  ['GET', '/metrics?name[]=x', 200],
  ['GET', '/', 404],
  ['GET', '/metrics2', 404],
  ['GET', '/control', 404],
  ['GET', '/truth', 404],
  ['GET', '/v1/chat/completions', 405],
  ['POST', '/health', 405],
])('%s %s has status %d', async (method, path, expectedStatus) => {
  const { address } = await startSimulator();
  expect((await sendRaw(address.url + path, {}, method)).status).toBe(expectedStatus);
});

test('a request target without a path is rejected with status 400', async () => {
  const { address } = await startSimulator();
  const { hostname, port } = new URL(address.url);
  const socket = connect(Number(port), hostname);
  socket.end('GET // HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const [head] = await once(socket, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 400 /);
  expect((await sendRaw(`${address.url}/health`)).status).toBe(200);
});

test('lists the served model', async () => {
  const { address } = await startSimulator();
  const { body } = await sendRaw(`${address.url}/v1/models`);
  expect(JSON.parse(body.toString())).toMatchObject({
    object: 'list',
    data: [{ id: model, max_model_len: 8192 }],
  });
});

test('requires the configured keys', async () => {
  const { address } = await startSimulator({ apiKey: 'one', metricsKey: 'two' });
  const readStatus = async (path: string, key: string): Promise<number> => {
    return (await sendRaw(address.url + path, { authorization: `Bearer ${key}` })).status;
  };
  expect((await sendRaw(`${address.url}/v1/models`)).status).toBe(401);
  expect(await readStatus('/v1/models', 'two')).toBe(401);
  expect(await readStatus('/v1/models', 'one')).toBe(200);
  expect(await readStatus('/metrics', 'one')).toBe(401);
  expect(await readStatus('/metrics', 'two')).toBe(200);
  expect((await sendRaw(`${address.url}/health`)).status).toBe(200);
});

test('vLLM counts HTTP requests, but not scrapes', async () => {
  const simulator = await startSimulator();
  await (await post(`${simulator.address.url}/v1/completions`, { model, prompt: 'x', max_tokens: 2 })).text();
  await (await post(`${simulator.address.url}/v1/completions`, '{')).text();
  await sendRaw(simulator.address.metricsUrl);
  const families = readExposition(simulator.scrape());
  const handler = '/v1/completions';
  expect(readSampleValue(families, 'http_requests_total', { handler, status: '2xx' })).toBe(1);
  expect(readSampleValue(families, 'http_requests_total', { handler, status: '4xx' })).toBe(1);
  expect(readSampleValue(families, 'http_response_size_bytes_sum', { handler })).toBeGreaterThan(200);
  expect(families.get('http_requests_total')!.samples).toHaveLength(2);
});
