import { expect, test } from 'vitest';
import type { PhaseSummary } from '../../src/run/loadSummary.ts';
import { mergePhases, mergeSummaries } from '../../src/workers/mergedSummary.ts';

const createPhaseSummary = (more: Partial<PhaseSummary>): PhaseSummary => ({
  phase: 'profiling',
  startNs: 5,
  sentNs: 10,
  endNs: 20,
  sent: 4,
  succeeded: 2,
  failed: 1,
  cancelled: 1,
  sessions: 3,
  unsent: 0,
  connectionWaits: 2,
  connectionWaitNs: 5,
  stopReason: 'requests',
  ...more,
});

test('returns the longest duration and the sums of the counts', () => {
  const merged = mergePhases([
    createPhaseSummary({}),
    createPhaseSummary({ endNs: 30, sent: 6, succeeded: 4, stopReason: 'sessions', unsent: 2 }),
  ]);
  expect(merged).toEqual(
    createPhaseSummary({
      endNs: 30,
      sent: 10,
      succeeded: 6,
      failed: 2,
      cancelled: 2,
      sessions: 6,
      unsent: 2,
      connectionWaits: 4,
      connectionWaitNs: 10,
    }),
  );
});

test.each([
  [['requests', 'interrupted'], 'interrupted'],
  [['duration', 'requests'], 'duration'],
  [['requests', 'failed_requests'], 'failed_requests'],
  [['sessions', 'requests'], 'requests'],
  [['sessions', 'sessions'], 'sessions'],
  [['schedule', 'schedule'], 'schedule'],
] as const)('merges stop reasons %j to %s', (reasons, expected) => {
  expect(mergePhases(reasons.map(reason => createPhaseSummary({ stopReason: reason }))).stopReason).toBe(
    expected,
  );
});

const createTimes = (p99Ns: number) => ({
  count: 10,
  meanNs: p99Ns / 2,
  p50Ns: p99Ns / 2,
  p99Ns,
  maxNs: 2 * p99Ns,
});

const createDoneMessage = (p99Ns: number, clientBusy: number, pausedNs = 0, missingEndMarkers = 0) => ({
  type: 'done' as const,
  pausedNs,
  summary: {
    originNs: 1n,
    phases: [],
    wasCancelled: false,
    eventLoopDelay: createTimes(p99Ns),
    clientBusy,
    sendDelay: createTimes(0),
    missingEndMarkers,
    tokenizer: 'server',
    workers: 0,
    lostWorkers: [],
    warnings: [],
  },
});

const common = {
  originNs: 1n,
  phases: [],
  wasCancelled: false,
  failedRequestThreshold: undefined,
  isUnlimited: true,
  sendDelay: createTimes(1e5),
  medianFirstTokenNs: 0,
  tokenizer: 'server',
  workers: 2,
  lostWorkers: [],
};

test('reports the highest event loop delay and the highest utilization of all threads', () => {
  const merged = mergeSummaries({
    ...common,
    medianFirstTokenNs: 20e6,
    done: [createDoneMessage(4e6, 0.2), createDoneMessage(1e6, 0.9)],
  });
  expect(merged).toMatchObject({
    eventLoopDelay: createTimes(4e6),
    clientBusy: 0.9,
    sendDelay: createTimes(1e5),
    workers: 2,
  });
  expect(merged.warnings.map(({ kind }) => kind)).toEqual(['event_loop_delay', 'client_busy']);
});

test('warns about a record backlog and about lost threads', () => {
  const lostWorkers = [{ workerId: 'worker_1', message: 'Error: gone', requests: 3 }];
  const merged = mergeSummaries({ ...common, lostWorkers, done: [createDoneMessage(0, 0.1, 2.5e8)] });
  expect(merged.lostWorkers).toEqual(lostWorkers);
  expect(merged.warnings).toEqual([
    {
      kind: 'worker_lost',
      message: 'worker_1 failed (Error: gone); run aborted; the outcome of 3 in-flight requests is unknown',
    },
    { kind: 'record_backlog', message: expect.stringContaining('no requests were sent for 250.0 ms') },
  ]);
});

test('returns a summary even if all threads were lost', () => {
  expect(mergeSummaries({ ...common, done: [] })).toMatchObject({
    clientBusy: 0,
    eventLoopDelay: { count: 0 },
  });
});

test('adds up the streams without an end marker', () => {
  const merged = mergeSummaries({
    ...common,
    done: [createDoneMessage(0, 0.1, 0, 2), createDoneMessage(0, 0.1, 0, 3)],
  });
  expect(merged.missingEndMarkers).toBe(5);
  expect(merged.warnings).toEqual([
    { kind: 'missing_end_markers', message: expect.stringContaining('5 streams ended without [DONE]') },
  ]);
});

test('adds up the requests that were counted without the chat template', () => {
  const [first, second] = [createDoneMessage(0, 0.1), createDoneMessage(0, 0.1)];
  const done = [
    { ...first, summary: { ...first.summary, templateProblems: { requests: 2, reason: 'no template' } } },
    { ...second, summary: { ...second.summary, templateProblems: { requests: 3, reason: 'other' } } },
  ];
  const merged = mergeSummaries({ ...common, done });
  expect(merged.templateProblems).toEqual({ requests: 5, reason: 'no template' });
  expect(merged.warnings).toEqual([
    {
      kind: 'chat_template',
      message:
        'the input of 5 requests was counted without a chat template, because no template; set --tokenizer to the folder of a tokenizer with a template, or omit --apply-chat-template',
    },
  ]);
  expect(mergeSummaries({ ...common, done: [first] })).not.toHaveProperty('templateProblems');
});
