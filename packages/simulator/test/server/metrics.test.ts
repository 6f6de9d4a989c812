import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readExposition, sampleValue } from '../support/exposition.ts';
import { listening, raw, until } from '../support/server.ts';

test('classic text, whole and well-formed', async () => {
  const { at } = await listening();
  const { status, headers, body } = await raw(at.metricsUrl);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(headers['content-length']).toBe(String(body.length));
  expect(headers['content-encoding']).toBeUndefined();
  expect(readExposition(body.toString()).size).toBeGreaterThan(60);
});

describe('gzip and OpenMetrics for those who ask, where the server can', () => {
  test.each([
    ['vllm', 'gzip', 'application/openmetrics-text'],
    ['sglang', 'gzip', 'application/openmetrics-text'],
    ['triton', undefined, 'text/plain'],
    ['dynamo', undefined, 'text/plain'],
  ] as const)('%s', async (kind, encoding, type) => {
    const { at } = await listening({ kind });
    const accept = 'application/openmetrics-text; version=1.0.0, text/plain; q=0.5';
    const { headers, body } = await raw(at.metricsUrl, { accept, 'accept-encoding': 'gzip, deflate' });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-type']).toContain(type);
    const text = (encoding ? gunzipSync(body) : body).toString();
    expect(text.endsWith('# EOF\n')).toBe(type.includes('openmetrics'));
  });
});

test.each(['HEAD', 'POST', 'PUT'])('%s is not allowed', async method => {
  const { at } = await listening();
  const { status, headers } = await raw(at.metricsUrl, {}, method);
  expect(status).toBe(405);
  expect(headers.allow).toBe('GET');
});

test('background traffic moves the metrics without a client', async () => {
  const { at } = await listening({ arrivalRate: 400 });
  const generated = async (): Promise<number> => {
    const { body } = await raw(at.metricsUrl);
    return sampleValue(readExposition(body.toString()), 'vllm:generation_tokens_total');
  };
  const before = await generated();
  await until(async () => (await generated()) > before + 100);
});

describe('TensorRT-LLM', () => {
  test('gives each iteration once, as JSON', async () => {
    const { at } = await listening({ kind: 'trtllm', arrivalRate: 400, speed: 3 });
    const read = async (): Promise<{ iter: number }[]> => {
      const { headers, body } = await raw(at.metricsUrl);
      expect(headers['content-type']).toBe('application/json');
      return JSON.parse(body.toString());
    };
    const seen: number[] = [];
    let reads = 0;
    await until(async () => {
      const iterations = await read();
      reads += Math.sign(iterations.length);
      seen.push(...iterations.map(({ iter }) => iter));
      return reads > 2 && seen.length > 20;
    });
    expect(seen).toEqual(seen.map((_, at) => seen[0]! + at));
  });

  test.each([
    [{ json: true, jsonContentType: false, exposition: true }, 200, undefined, 200],
    [{ json: true, jsonContentType: true, exposition: false }, 200, 'application/json', 404],
    [{ json: false, jsonContentType: true, exposition: true }, 404, 'application/json', 200],
    [{ json: false, jsonContentType: true, exposition: false }, 404, 'application/json', 404],
  ])('with %j', async (trtllm, jsonStatus, jsonType, expositionStatus) => {
    const { at } = await listening({ kind: 'trtllm', trtllm });
    const json = await raw(`${at.url}/metrics`);
    expect([json.status, json.headers['content-type']]).toEqual([jsonStatus, jsonType]);
    const exposition = await raw(`${at.url}/prometheus/metrics`);
    expect(exposition.status).toBe(expositionStatus);
    if (expositionStatus === 200) readExposition(exposition.body.toString());
  });
});

test.each(['triton', 'dynamo'] as const)('%s has a second port', async kind => {
  const { at } = await listening({ kind });
  const side = Object.values(at.pages).find(url => !url.startsWith(at.url))!;
  expect((await raw(side)).status).toBe(200);
  expect((await raw(side.replace('/metrics', '/v1/models'))).status).toBe(404);
  expect((await raw(`${at.url}/metrics`)).status).toBe(kind === 'triton' ? 404 : 200);
});
