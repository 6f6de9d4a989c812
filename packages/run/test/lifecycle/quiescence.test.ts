import type { Clock } from '@org/core';
import type { SettlingRecord } from '@org/record';
import type { Endpoint } from '@org/scrape';
import { afterEach, expect, test } from 'vitest';
import { createEndpointRecord } from '../../../record/test/support/runRecord.ts';
import { type FrameListener, waitForQuiescence } from '../../src/lifecycle/quiescence.ts';

/** Time between two frames on the clock of the tests, in milliseconds. */
const FRAME_INTERVAL_MS = 300;

let stopFrames = (): void => {};
afterEach(() => stopFrames());

interface WaitOptions {
  readonly limitSeconds?: number;
  readonly status?: string;
  /** Number of frames; unlimited by default. The clock stops at the last frame. */
  readonly frameCount?: number;
  readonly signal?: AbortSignal;
}

/**
 * Waits for the quiescence of an endpoint whose counter increases from frame to frame, up to the value
 * `changes`. The clock advances only between frames, so that the result does not depend on the machine.
 */
function waitFor(changes: number, options: WaitOptions = {}): Promise<SettlingRecord> {
  const { limitSeconds = 30, status = 'active', frameCount = Number.POSITIVE_INFINITY, signal } = options;
  const { layout } = createEndpointRecord('http://a:1/metrics', { requests: 'counter' }, [
    [0, { requests: 1 }],
  ]).store;
  const endpoint = { layout, health: { status } } as unknown as Endpoint;
  let listener: FrameListener | undefined;
  let frames = 0;
  const clock: Clock = {
    monotonicMs: () => frames * FRAME_INTERVAL_MS,
    nowNs: () => BigInt(frames * FRAME_INTERVAL_MS) * 1_000_000n,
  };
  const timer = setInterval(() => {
    frames++;
    const values = Float64Array.of(Math.min(changes, frames));
    listener?.(endpoint, { timestampNs: clock.nowNs(), latencyNs: 0, changed: true, values });
    if (frames === frameCount) stopFrames();
  }, 5);
  stopFrames = () => clearInterval(timer);
  return waitForQuiescence({
    boundary: 'start',
    endpoints: [endpoint],
    limitSeconds,
    signal: signal ?? new AbortController().signal,
    listen: next => {
      listener = next;
    },
    clock,
  });
}

test('waits until a counter has not changed for a second', async () => {
  const settling = await waitFor(5);
  expect(settling).toMatchObject({ boundary: 'start', outcome: 'settled', limit_seconds: 30 });
  expect(settling.seconds).toBeGreaterThanOrEqual((5 * FRAME_INTERVAL_MS) / 1000 + 1);
  expect(settling).not.toHaveProperty('changing_metrics');
});

test('lists the changing metrics if the limit has passed', async () => {
  expect(await waitFor(Number.POSITIVE_INFINITY, { limitSeconds: 3 })).toMatchObject({
    outcome: 'timed_out',
    changing_metrics: ['requests'],
  });
});

test('lists no metrics if the limit is too short to detect changes', async () => {
  const settling = await waitFor(0, { limitSeconds: 0.5, frameCount: 2 });
  expect(settling.outcome).toBe('timed_out');
  expect(settling).not.toHaveProperty('changing_metrics');
});

test('ends when the signal is aborted', async () => {
  const settling = await waitFor(Number.POSITIVE_INFINITY, {
    frameCount: 2,
    signal: AbortSignal.timeout(50),
  });
  expect(settling.outcome).toBe('interrupted');
});

test('does not wait for an endpoint that returns no data', async () => {
  const settling = await waitFor(Number.POSITIVE_INFINITY, { status: 'failing' });
  expect(settling).toMatchObject({ outcome: 'settled', seconds: 0 });
});

test('reports `no_endpoints` if there is no endpoint to wait for', async () => {
  const settling = await waitForQuiescence({
    boundary: 'end',
    endpoints: [],
    limitSeconds: 30,
    signal: new AbortController().signal,
    listen: () => {},
    clock: { monotonicMs: () => 0, nowNs: () => 0n },
  });
  expect(settling).toMatchObject({ boundary: 'end', outcome: 'no_endpoints' });
});
