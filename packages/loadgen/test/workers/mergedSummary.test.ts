import { expect, test } from 'vitest';
import type { PhaseSummary } from '../../src/run/loadOptions.ts';
import { mergedPhase, mergedSummary } from '../../src/workers/mergedSummary.ts';

const part = (more: Partial<PhaseSummary>): PhaseSummary => ({
  phase: 'profiling',
  startNs: 5,
  sentNs: 10,
  endNs: 20,
  sent: 3,
  succeeded: 2,
  failed: 1,
  cancelled: 1,
  sessions: 3,
  unsent: 0,
  stopped: 'requests',
  ...more,
});

test('a phase of several threads lasts as long as the longest, and counts are added', () => {
  const merged = mergedPhase([
    part({}),
    part({ endNs: 30, sent: 5, succeeded: 4, stopped: 'sessions', unsent: 2 }),
  ]);
  expect(merged).toEqual(
    part({ endNs: 30, sent: 8, succeeded: 6, failed: 2, cancelled: 2, sessions: 6, unsent: 2 }),
  );
});

test.each([
  [['requests', 'interrupted'], 'interrupted'],
  [['duration', 'requests'], 'duration'],
  [['sessions', 'requests'], 'requests'],
  [['sessions', 'sessions'], 'sessions'],
  [['schedule', 'schedule'], 'schedule'],
] as const)('%j is %s', (reasons, stopped) => {
  expect(mergedPhase(reasons.map(reason => part({ stopped: reason }))).stopped).toBe(stopped);
});

const spread = (p99Ns: number) => ({
  count: 10,
  meanNs: p99Ns / 2,
  p50Ns: p99Ns / 2,
  p99Ns,
  maxNs: 2 * p99Ns,
});

const summary = (p99Ns: number, clientBusy: number, heldNs = 0, silentEnds = 0) => ({
  is: 'done' as const,
  heldNs,
  summary: {
    originNs: 1n,
    phases: [],
    wasCancelled: false,
    eventLoopLag: spread(p99Ns),
    clientBusy,
    sendLateness: spread(0),
    silentEnds,
    tokenizer: 'server',
    workers: 0,
    lost: [],
    warnings: [],
  },
});

const common = {
  originNs: 1n,
  phases: [],
  wasCancelled: false,
  isOpen: true,
  lateness: spread(1e5),
  medianFirstTokenNs: 0,
  tokenizer: 'server',
  workers: 2,
  lost: [],
};

test('the worst thread says how far the client can be trusted', () => {
  const merged = mergedSummary({ ...common, done: [summary(4e6, 0.2), summary(1e6, 0.9)] });
  expect(merged).toMatchObject({
    eventLoopLag: spread(4e6),
    clientBusy: 0.9,
    sendLateness: spread(1e5),
    workers: 2,
  });
  expect(merged.warnings.map(({ kind }) => kind)).toEqual(['event_loop_lag', 'client_busy']);
});

test('records that were not taken fast enough, and threads that died, are told', () => {
  const lost = [{ workerId: 'worker_1', message: 'Error: gone', requests: 3 }];
  const merged = mergedSummary({ ...common, lost, done: [summary(0, 0.1, 2.5e8)] });
  expect(merged.lost).toEqual(lost);
  expect(merged.warnings).toEqual([
    {
      kind: 'worker_lost',
      message:
        'worker_1 ended early (Error: gone), and the run was cut; how 3 request(s) that it had sent ended is not known',
    },
    { kind: 'records_behind', message: expect.stringContaining('nothing new was sent for 250.0 ms') },
  ]);
});

test('without any thread left there is still a summary', () => {
  expect(mergedSummary({ ...common, done: [] })).toMatchObject({ clientBusy: 0, eventLoopLag: { count: 0 } });
});

test('streams that may have been cut off are those of all threads', () => {
  const merged = mergedSummary({ ...common, done: [summary(0, 0.1, 0, 2), summary(0, 0.1, 0, 3)] });
  expect(merged.silentEnds).toBe(5);
  expect(merged.warnings).toEqual([
    { kind: 'silent_ends', message: expect.stringContaining('5 stream(s) ended without [DONE]') },
  ]);
});
