import type { SettlingRecord } from '@org/record';
import { createSystemClock, type Endpoint } from '@org/scrape';
import { afterEach, expect, test } from 'vitest';
import { createEndpointRecord } from '../../../record/test/support/runRecord.ts';
import { type FrameListener, waitForQuiescence } from '../../src/lifecycle/quiescence.ts';

const clock = createSystemClock();
const timers: NodeJS.Timeout[] = [];
afterEach(() => {
  for (const timer of timers.splice(0)) clearInterval(timer);
});

/** Waits for the quiescence of an endpoint whose counter increases every 20 ms, up to the value `changes`. */
function waitFor(
  changes: number,
  limitSeconds: number,
  { status = 'active', signal = new AbortController().signal } = {},
): Promise<SettlingRecord> {
  const { layout } = createEndpointRecord('http://a:1/metrics', { requests: 'counter' }, [
    [0, { requests: 1 }],
  ]).store;
  const endpoint = { layout, health: { status } } as unknown as Endpoint;
  let listener: FrameListener | undefined;
  let value = 0;
  timers.push(
    setInterval(() => {
      value = Math.min(changes, value + 1);
      const values = Float64Array.of(value);
      listener?.(endpoint, { timestampNs: clock.nowNs(), latencyNs: 0, changed: true, values });
    }, 20),
  );
  return waitForQuiescence({
    boundary: 'start',
    endpoints: [endpoint],
    limitSeconds,
    signal,
    listen: next => {
      listener = next;
    },
    clock,
  });
}

test('waits until a counter has not changed for a second', async () => {
  const settling = await waitFor(5, 30);
  expect(settling).toMatchObject({ boundary: 'start', outcome: 'settled', limit_seconds: 30 });
  expect(settling.seconds).toBeGreaterThan(1);
  expect(settling).not.toHaveProperty('changing_metrics');
});

test('lists the changing metrics if the limit has passed', async () => {
  expect(await waitFor(Number.POSITIVE_INFINITY, 0.2)).toMatchObject({
    outcome: 'timed_out',
    changing_metrics: ['requests'],
  });
});

test('ends when the signal is aborted', async () => {
  const settling = await waitFor(Number.POSITIVE_INFINITY, 30, { signal: AbortSignal.timeout(100) });
  expect(settling.outcome).toBe('interrupted');
  expect(settling.seconds).toBeLessThan(20);
});

test('does not wait for an endpoint that returns no data', async () => {
  const settling = await waitFor(Number.POSITIVE_INFINITY, 30, { status: 'failing' });
  expect(settling.outcome).toBe('settled');
});

test('reports `no_endpoints` if there is no endpoint to wait for', async () => {
  const settling = await waitForQuiescence({
    boundary: 'end',
    endpoints: [],
    limitSeconds: 30,
    signal: new AbortController().signal,
    listen: () => {},
    clock,
  });
  expect(settling).toMatchObject({ boundary: 'end', outcome: 'no_endpoints' });
});
