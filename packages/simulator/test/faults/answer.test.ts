import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Fault } from '../../src/faults/fault.ts';
import { readExposition } from '../support/exposition.ts';
import { listening, type RawAnswer, raw } from '../support/server.ts';

async function scrape(
  fault: Fault,
  headers: Record<string, string> = {},
): Promise<RawAnswer & { tookMs: number }> {
  const { at } = await listening({ faults: [{ ...fault, scrapes: 1 }] });
  const start = performance.now();
  const answer = await raw(at.metricsUrl, headers);
  const tookMs = performance.now() - start;
  // All is well the next time.
  readExposition((await raw(at.metricsUrl)).body.toString());
  return { ...answer, tookMs };
}

describe('answers of another kind', () => {
  test.each<[Fault, number, string | undefined, string]>([
    [{ kind: 'status', status: 500 }, 500, 'text/plain; charset=utf-8', 'simulated status 500'],
    [{ kind: 'status', status: 401 }, 401, 'text/plain; charset=utf-8', 'simulated status 401'],
    [{ kind: 'status', status: 404 }, 404, 'text/plain; charset=utf-8', 'simulated status 404'],
    [{ kind: 'status', status: 204 }, 204, undefined, ''],
    [{ kind: 'html' }, 200, 'text/html; charset=utf-8', '<!DOCTYPE html>'],
    [{ kind: 'json' }, 200, 'application/json', '[{"iter":1'],
    [{ kind: 'content-type', value: 'application/json' }, 200, 'application/json', '# HELP'],
    [{ kind: 'content-type', value: '' }, 200, undefined, '# HELP'],
    [{ kind: 'body', edit: 'empty' }, 200, 'text/plain; version=0.0.4; charset=utf-8', ''],
    [{ kind: 'body', edit: 'no-type' }, 200, 'text/plain; version=0.0.4; charset=utf-8', '# HELP'],
  ])('%j', async (fault, status, contentType, begin) => {
    const { headers, body, complete, ...answer } = await scrape(fault);
    expect(answer.status).toBe(status);
    expect(headers['content-type']).toBe(contentType);
    expect(body.toString().startsWith(begin)).toBe(true);
    expect(complete).toBe(true);
  });
});

test.each([
  [{ kind: 'redirect' }, '/metrics/'],
  [{ kind: 'redirect', to: 'http://elsewhere.invalid/metrics' }, 'http://elsewhere.invalid/metrics'],
] as const)('%j', async (fault, location) => {
  const { status, headers } = await scrape(fault);
  expect([status, headers.location]).toEqual([307, location]);
});

test('a redirect to the slash arrives', async () => {
  const { at } = await listening({ faults: [{ kind: 'redirect' }] });
  const response = await fetch(at.metricsUrl);
  expect(response.redirected).toBe(true);
  readExposition(await response.text());
});

test.each(['content-length', 'chunked'] as const)('half a body, framed by %s', async framing => {
  const { headers, body, complete, status } = await scrape({ kind: 'truncate', framing });
  expect(status).toBe(200);
  expect(complete).toBe(false);
  expect(body.length).toBeGreaterThan(1000);
  if (framing === 'content-length')
    expect(Number(headers['content-length'])).toBeGreaterThan(1.9 * body.length);
  else expect(headers['transfer-encoding']).toBe('chunked');
});

test('a connection that breaks before anything was said', async () => {
  const { at } = await listening({ faults: [{ kind: 'hang-up', scrapes: 1 }] });
  await expect(raw(at.metricsUrl)).rejects.toThrow('socket hang up');
});

test('silence, and then the answer', async () => {
  const { tookMs, body } = await scrape({ kind: 'stall', seconds: 0.2 });
  expect(tookMs).toBeGreaterThan(180);
  readExposition(body.toString());
});

test('bytes that come slowly', async () => {
  const { tookMs, body, complete } = await scrape({ kind: 'drip', seconds: 0.3 });
  expect(tookMs).toBeGreaterThan(200);
  expect(complete).toBe(true);
  readExposition(body.toString());
});

test('a small body that unpacks to a large one', async () => {
  const { headers, body } = await scrape({ kind: 'gzip-bomb', megabytes: 30 });
  expect(headers['content-encoding']).toBe('gzip');
  expect(body.length).toBeLessThan(200_000);
  expect(gunzipSync(body).length).toBe(30 * 1024 * 1024);
});

test('faults add up, and a spoilt body is compressed like any other', async () => {
  const { at } = await listening({
    faults: [
      { kind: 'body', edit: 'nan' },
      { kind: 'body', edit: 'timestamps' },
      { kind: 'content-type', value: 'text/html' },
    ],
  });
  const { headers, body } = await raw(at.metricsUrl, { 'accept-encoding': 'gzip' });
  expect(headers['content-type']).toBe('text/html');
  expect(gunzipSync(body).toString()).toMatch(/^vllm:num_requests_running\{.*\} NaN 1767225600123$/m);
});

test('whoever hangs up while the server stalls does no harm', async () => {
  const { at } = await listening({ faults: [{ kind: 'stall', seconds: 30, scrapes: 1 }] });
  await expect(fetch(at.metricsUrl, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
  expect((await raw(at.metricsUrl)).status).toBe(200);
});
