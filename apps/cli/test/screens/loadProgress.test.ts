import type { LoadProgress as Progress } from '@org/loadgen';
import type { ActiveLoad } from '@org/run';
import type { Io } from '@org/terminal/program';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LoadProgress } from '../../src/screens/loadProgress.ts';
import { createTestLog } from '../support/log.ts';
import { readProfile } from '../support/options.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SECOND_NS = 1e9;

test.each<[string, Partial<Progress>, string]>([
  [
    '--request-count 100',
    { sent: 54, inFlight: 4, succeeded: 48, failed: 2, elapsedNs: 10 * SECOND_NS },
    'profiling 10 s, 50/100, 5.0 req/s, 4 in flight, 2 failed, ETA 10 s',
  ],
  [
    '--benchmark-duration 40',
    { sent: 51, inFlight: 1, succeeded: 50, failed: 0, elapsedNs: 10 * SECOND_NS },
    'profiling 10 s, 50 requests, 5.0 req/s, 1 in flight, ETA 30 s',
  ],
  [
    '--benchmark-duration 10',
    { sent: 2, inFlight: 1, succeeded: 1, failed: 0, elapsedNs: SECOND_NS },
    'profiling 1 s, 1 request, 1.0 req/s, 1 in flight, ETA 9 s',
  ],
  [
    '--warmup-request-count 8 --request-count 100',
    { phase: 'warmup', sent: 8, inFlight: 4, succeeded: 4, failed: 0, elapsedNs: 2 * SECOND_NS },
    'warm-up 2 s, 4/8, 2.0 req/s, 4 in flight, ETA 2 s',
  ],
  [
    '--request-cancellation-rate 50 --num-sessions 9',
    { sent: 9, inFlight: 2, succeeded: 3, failed: 1, cancelled: 3, elapsedNs: 7 * SECOND_NS },
    'profiling 7 s, 7 requests, 1.0 req/s, 2 in flight, 1 failed, 3 cancelled',
  ],
  [
    '--num-sessions 5',
    { sent: 1, inFlight: 1, succeeded: 0, failed: 0, elapsedNs: 0 },
    'profiling 0 s, 0 requests, 0.0 req/s, 1 in flight',
  ],
])('logs the progress of %s', (line, progress, expected) => {
  const log = createTestLog();
  const current: Progress = {
    phase: 'profiling',
    sent: 0,
    inFlight: 0,
    succeeded: 0,
    failed: 0,
    cancelled: 0,
    elapsedNs: 0,
    ...progress,
  };
  const run = { load: { getProgress: () => current }, endpoints: [] } as unknown as ActiveLoad;
  const display = new LoadProgress(readProfile(['--model', 'm', ...line.split(' ')]).plan);
  display.start(run, {} as Io, log, false);
  vi.advanceTimersByTime(10_000);
  display.stop();
  vi.advanceTimersByTime(20_000);
  expect(log.lines).toEqual([`info: ${expected}`]);
});

test('shows first that an endpoint does not respond, so that a narrow terminal does not cut it off', () => {
  const log = createTestLog();
  const progress = { phase: 'profiling', sent: 9, inFlight: 4, succeeded: 5, failed: 0, cancelled: 0 };
  const stalled = {
    url: 'http://localhost:8000/metrics',
    stalledMs: 5000,
    health: { status: 'active', lastSuccessNs: BigInt(Date.now() - 2000) * 1_000_000n },
  };
  const run = {
    load: { getProgress: () => ({ ...progress, elapsedNs: 10 * SECOND_NS }) },
    endpoints: [stalled],
  } as unknown as ActiveLoad;
  const display = new LoadProgress(readProfile(['--model', 'm', '--num-sessions', '9']).plan);
  display.start(run, {} as Io, log, false);
  vi.advanceTimersByTime(10_000);
  display.stop();
  expect(log.lines).toEqual([
    'info: profiling 10 s, localhost:8000 does not respond (12 s), 5 requests, 0.5 req/s, 4 in flight',
  ]);
});
