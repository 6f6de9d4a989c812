import { isResponding } from '@org/record/roles';
import { expect, test } from 'vitest';
import { describeUnresponsive } from '../src/unresponsive.ts';

const NOW_NS = 100_000_000_000n;

type Endpoint = Parameters<typeof describeUnresponsive>[0][number];

const createEndpoint = (port: number, health: Partial<Endpoint['health']>, stalledMs = 0): Endpoint => ({
  url: `http://localhost:${port}/metrics`,
  stalledMs,
  health: { status: 'active', lastSuccessNs: 88_000_000_000n, lastOutage: undefined, ...health },
});

const active = createEndpoint(8000, {});
const createFailing = (port: number, reason: 'refused' | 'server_error'): Endpoint =>
  createEndpoint(port, { status: 'failing', lastOutage: { startNs: 0n, scrapes: 1, reason, message: '' } });
const failing = createFailing(8001, 'refused');
const erroneous = createFailing(8004, 'server_error');
const stalled = createEndpoint(8002, {}, 5000);
const unreachable = createEndpoint(8003, { status: 'no_data', lastSuccessNs: undefined });

test.each<[string, readonly Endpoint[], string | undefined]>([
  ['nothing for active endpoints and endpoints without data', [active, unreachable], undefined],
  ['an endpoint whose last scrape failed', [active, failing], 'localhost:8001 does not respond (12 s)'],
  ['an endpoint whose scrape takes unusually long', [stalled], 'localhost:8002 does not respond (12 s)'],
  ['an endpoint with error responses', [erroneous], 'localhost:8004 without metrics (12 s)'],
  ['nothing for an endpoint that was removed', [createEndpoint(8005, { status: 'removed' })], undefined],
  ['the first of several endpoints', [failing, stalled], 'localhost:8001 and 1 more do not respond (12 s)'],
])('describes %s', (_, endpoints, text) => {
  expect(describeUnresponsive(endpoints, NOW_NS)).toBe(text);
});

test('the values of an endpoint are current only while it responds', () => {
  expect([active, failing, stalled, unreachable].map(isResponding)).toEqual([true, false, false, false]);
});
