import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readExposition, readSampleValue } from '../support/exposition.ts';
import { sendRaw, startSimulator, waitUntil } from '../support/server.ts';

test('sends the classic text format', async () => {
  const { address } = await startSimulator();
  const { status, headers, body } = await sendRaw(address.metricsUrl);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(headers['content-length']).toBe(String(body.length));
  expect(headers['content-encoding']).toBeUndefined();
  expect(readExposition(body.toString()).size).toBeGreaterThan(60);
});

describe('sends gzip and OpenMetrics on request, if the server supports them', () => {
  test.each([
    ['vllm', 'gzip', 'application/openmetrics-text'],
    ['sglang', 'gzip', 'application/openmetrics-text'],
    ['triton', undefined, 'text/plain'],
    ['dynamo', undefined, 'text/plain'],
  ] as const)('%s', async (kind, encoding, type) => {
    const { address } = await startSimulator({ kind });
    const accept = 'application/openmetrics-text; version=1.0.0, text/plain; q=0.5';
    const { headers, body } = await sendRaw(address.metricsUrl, {
      accept,
      'accept-encoding': 'gzip, deflate',
    });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-type']).toContain(type);
    const text = (encoding ? gunzipSync(body) : body).toString();
    expect(text.endsWith('# EOF\n')).toBe(type.includes('openmetrics'));
  });
});

test.each(['HEAD', 'POST', 'PUT'])('does not allow %s', async method => {
  const { address } = await startSimulator();
  const { status, headers } = await sendRaw(address.metricsUrl, {}, method);
  expect(status).toBe(405);
  expect(headers.allow).toBe('GET');
});

test('background traffic changes the metrics', async () => {
  const { address } = await startSimulator({ arrivalRate: 400 });
  const readGenerated = async (): Promise<number> => {
    const { body } = await sendRaw(address.metricsUrl);
    return readSampleValue(readExposition(body.toString()), 'vllm:generation_tokens_total');
  };
  const tokensBefore = await readGenerated();
  await waitUntil(async () => (await readGenerated()) > tokensBefore + 100);
});

describe('TensorRT-LLM', () => {
  test('sends each iteration once, as JSON', async () => {
    const { address } = await startSimulator({ kind: 'trtllm', arrivalRate: 400, speed: 3 });
    const read = async (): Promise<{ iter: number }[]> => {
      const { headers, body } = await sendRaw(address.metricsUrl);
      expect(headers['content-type']).toBe('application/json');
      return JSON.parse(body.toString());
    };
    const numbers: number[] = [];
    let reads = 0;
    await waitUntil(async () => {
      const iterations = await read();
      reads += Math.sign(iterations.length);
      numbers.push(...iterations.map(({ iter }) => iter));
      return reads > 2 && numbers.length > 20;
    });
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
  });

  test.each([
    [{ json: true, jsonContentType: false, exposition: true }, 200, undefined, 200],
    [{ json: true, jsonContentType: true, exposition: false }, 200, 'application/json', 404],
    [{ json: false, jsonContentType: true, exposition: true }, 404, 'application/json', 200],
    [{ json: false, jsonContentType: true, exposition: false }, 404, 'application/json', 404],
  ])('serves the pages of %j', async (trtllm, jsonStatus, jsonType, expositionStatus) => {
    const { address } = await startSimulator({ kind: 'trtllm', trtllm });
    const json = await sendRaw(`${address.url}/metrics`);
    expect([json.status, json.headers['content-type']]).toEqual([jsonStatus, jsonType]);
    const exposition = await sendRaw(`${address.url}/prometheus/metrics`);
    expect(exposition.status).toBe(expositionStatus);
    if (expositionStatus === 200) readExposition(exposition.body.toString());
  });
});

test.each(['triton', 'dynamo'] as const)('%s serves metrics on a second port', async kind => {
  const { address } = await startSimulator({ kind });
  const side = Object.values(address.pages).find(url => !url.startsWith(address.url))!;
  expect((await sendRaw(side)).status).toBe(200);
  expect((await sendRaw(side.replace('/metrics', '/v1/models'))).status).toBe(404);
  expect((await sendRaw(`${address.url}/metrics`)).status).toBe(kind === 'triton' ? 404 : 200);
});
