import { describe, expect, test } from 'vitest';
import type { ScrapeFault } from '../../src/faults/fault.ts';
import { readExposition } from '../support/exposition.ts';
import { type RawResponse, sendRaw, startSimulator } from '../support/server.ts';

async function scrape(
  fault: ScrapeFault,
  headers: Record<string, string> = {},
): Promise<RawResponse & { durationMs: number }> {
  const { address } = await startSimulator({ faults: [{ ...fault, scrapes: 1 }] });
  const start = performance.now();
  const response = await sendRaw(address.metricsUrl, headers);
  const durationMs = performance.now() - start;
  // The next scrape has no fault.
  readExposition((await sendRaw(address.metricsUrl)).body.toString());
  return { ...response, durationMs };
}

describe('status and body', () => {
  test.each<[ScrapeFault, number, string | undefined, string]>([
    [{ kind: 'status', status: 500 }, 500, 'text/plain; charset=utf-8', 'simulated status 500'],
    [{ kind: 'status', status: 401 }, 401, 'text/plain; charset=utf-8', 'simulated status 401'],
    [{ kind: 'status', status: 404 }, 404, 'text/plain; charset=utf-8', 'simulated status 404'],
    [{ kind: 'status', status: 204 }, 204, undefined, ''],
    [{ kind: 'html' }, 200, 'text/html; charset=utf-8', '<!DOCTYPE html>'],
  ])('sends %j', async (fault, status, contentType, bodyStart) => {
    const { headers, body, complete, ...response } = await scrape(fault);
    expect(response.status).toBe(status);
    expect(headers['content-type']).toBe(contentType);
    expect(body.toString().startsWith(bodyStart)).toBe(true);
    expect(complete).toBe(true);
  });
});

test.each([undefined, 'gzip'])(
  'omits metrics by the start of their names (accept-encoding: %s)',
  async encoding => {
    const { address } = await startSimulator({
      faults: [{ kind: 'omit', metric: 'vllm:num_requests', every: 2 }],
    });
    const countFamilies = async (): Promise<number[]> => {
      const response = await fetch(address.metricsUrl, {
        headers: { 'accept-encoding': encoding ?? 'identity' },
      });
      const families = [...readExposition(await response.text()).keys()];
      return [families.length, families.filter(name => name.startsWith('vllm:num_requests')).length];
    };
    const [complete, incomplete, completeAgain] = [
      await countFamilies(),
      await countFamilies(),
      await countFamilies(),
    ];
    expect(complete[1]).toBe(3);
    expect(incomplete).toEqual([complete[0]! - 3, 0]);
    expect(completeAgain).toEqual(complete);
  },
);

test.each([
  [{ kind: 'redirect' }, '/metrics/'],
  [{ kind: 'redirect', to: 'http://elsewhere.invalid/metrics' }, 'http://elsewhere.invalid/metrics'],
] as const)('sends the redirect of %j', async (fault, location) => {
  const { status, headers } = await scrape(fault);
  expect([status, headers.location]).toEqual([307, location]);
});

test('the target of a redirect to the trailing slash responds', async () => {
  const { address } = await startSimulator({ faults: [{ kind: 'redirect' }] });
  const response = await fetch(address.metricsUrl);
  expect(response.redirected).toBe(true);
  readExposition(await response.text());
});

test.each(['content-length', 'chunked'] as const)('sends half a body with %s framing', async framing => {
  const { headers, body, complete, status } = await scrape({ kind: 'truncate', framing });
  expect(status).toBe(200);
  expect(complete).toBe(false);
  expect(body.length).toBeGreaterThan(1000);
  if (framing === 'content-length')
    expect(Number(headers['content-length'])).toBeGreaterThan(1.9 * body.length);
  else expect(headers['transfer-encoding']).toBe('chunked');
});

test('delays the response', async () => {
  const { durationMs, body } = await scrape({ kind: 'stall', seconds: 0.2 });
  expect(durationMs).toBeGreaterThan(180);
  readExposition(body.toString());
});

test('a delay combines with other faults', async () => {
  const { address } = await startSimulator({
    faults: [
      { kind: 'stall', seconds: 0.2 },
      { kind: 'html', scrapes: 1 },
    ],
  });
  const start = performance.now();
  const { headers } = await sendRaw(address.metricsUrl);
  expect(performance.now() - start).toBeGreaterThan(180);
  expect(headers['content-type']).toContain('text/html');
});

test('a client that disconnects during a delay does not affect later scrapes', async () => {
  const { address } = await startSimulator({ faults: [{ kind: 'stall', seconds: 30, scrapes: 1 }] });
  await expect(fetch(address.metricsUrl, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
  expect((await sendRaw(address.metricsUrl)).status).toBe(200);
});
