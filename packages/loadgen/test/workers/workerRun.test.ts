import type { Worker } from 'node:worker_threads';
import { openWorkers } from '@org/loadgen';
import { expect, onTestFinished, test } from 'vitest';
import type { RequestRecord } from '../../src/requestRecord.ts';
import type { LoadSummary } from '../../src/run/loadSummary.ts';
import { clock } from '../support/load.ts';
import { MODEL, startSimulator } from '../support/simulator.ts';
import { runWorkers, SYNTHETIC } from '../support/workers.ts';

test('starts a phase after all threads have ended the previous phase', async () => {
  const { url } = await startSimulator();
  const phaseStarts: [string, number][] = [];
  const records: RequestRecord[] = [];
  const workers = await openWorkers({
    workers: 2,
    clock,
    inputs: SYNTHETIC,
    target: { urls: [url], model: MODEL, streaming: true },
    warmup: { concurrency: 7, requestCount: 20 },
    profiling: { concurrency: 7, requestCount: 20 },
  });
  onTestFinished(() => workers.close());
  const run = workers.start({
    onRecord: record => records.push(record),
    beforePhase: async phase => {
      await new Promise(resolve => setTimeout(resolve, 50));
      phaseStarts.push([phase, Number(clock.nowNs() - run.originNs)]);
    },
  });
  expect(run.getProgress()).toMatchObject({ phase: undefined, sent: 0 });
  const summary = await run.finished;
  const [warmup, profiling] = summary.phases;
  expect(phaseStarts.map(([phase]) => phase)).toEqual(['warmup', 'profiling']);
  const selectPhase = (phase: string) => records.filter(record => record.phase === phase);
  expect(selectPhase('warmup')).toHaveLength(20);
  expect(selectPhase('profiling')).toHaveLength(20);
  const profilingStartNs = phaseStarts[1]![1];
  expect(Math.max(...selectPhase('warmup').map(({ endNs }) => endNs))).toBeLessThan(profilingStartNs);
  expect(Math.min(...selectPhase('profiling').map(({ startNs }) => startNs))).toBeGreaterThanOrEqual(
    profilingStartNs,
  );
  expect(profiling!.startNs).toBeGreaterThan(warmup!.endNs);
  expect(Math.min(...selectPhase('profiling').map(({ session }) => session))).toBe(0);
  expect(new Set(records.map(({ conversationId }) => conversationId)).size).toBe(40);
  expect(run.getProgress()).toMatchObject({
    phase: 'profiling',
    sent: 20,
    succeeded: 20,
    failed: 0,
    inFlight: 0,
  });
});

test('keeps all records of an interrupted run', async () => {
  const { url } = await startSimulator({ speed: 1 });
  const controller = new AbortController();
  let recordCount = 0;
  const { summary, records } = await runWorkers(
    2,
    url,
    { profiling: { concurrency: 6, durationS: 600 } },
    {
      signal: controller.signal,
      onRecord: () => {
        recordCount += 1;
        if (recordCount === 10) controller.abort();
      },
    },
  );
  const [profiling] = summary.phases;
  expect(summary.wasCancelled).toBe(true);
  expect(profiling).toMatchObject({ stopReason: 'interrupted', sent: records.length });
  expect(profiling!.succeeded + profiling!.cancelled).toBe(records.length);
  expect(
    records.filter(({ failure }) => failure).every(({ failure }) => failure!.type === 'Interrupted'),
  ).toBe(true);
});

test('aborts the run if a thread is lost, and keeps its records', async () => {
  const { url } = await startSimulator({ speed: 1 });
  const threads: Worker[] = [];
  const onWorker = (worker: Worker): number => threads.push(worker);
  process.on('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
  const recordCounts = [0, 0];
  const { summary, records } = await runWorkers(
    2,
    url,
    { profiling: { concurrency: 6, durationS: 600 } },
    {
      // Waits for three records of each thread, because either thread may be much faster than the other.
      onRecord: ({ workerId }) => {
        recordCounts[Number(workerId.slice(-1))]! += 1;
        if (Math.min(...recordCounts) === 3) void threads[1]!.terminate();
      },
    },
  );
  const [lostWorker] = summary.lostWorkers;
  expect(summary.lostWorkers).toEqual([
    { workerId: 'worker_1', message: expect.stringContaining('exited'), requests: expect.any(Number) },
  ]);
  expect(lostWorker!.requests).toBeGreaterThanOrEqual(1);
  expect(summary.wasCancelled).toBe(true);
  expect(summary.phases).toMatchObject([
    { stopReason: 'interrupted', sent: records.length + lostWorker!.requests },
  ]);
  const [{ sent, succeeded, failed, cancelled }] = summary.phases as [LoadSummary['phases'][number]];
  expect(succeeded + failed + cancelled).toBe(sent);
  expect(records.filter(({ failure }) => !failure)).toHaveLength(succeeded);
  expect(summary.warnings[0]).toMatchObject({
    kind: 'worker_lost',
    message: expect.stringContaining('worker_1'),
  });
  expect(new Set(records.map(({ workerId }) => workerId))).toEqual(new Set(['worker_0', 'worker_1']));
});

test('ends a run at once if its threads are closed', async () => {
  const { url } = await startSimulator({ speed: 1 });
  const workers = await openWorkers({
    workers: 2,
    clock,
    inputs: SYNTHETIC,
    target: { urls: [url], model: MODEL, streaming: true },
    profiling: { concurrency: 4, durationS: 600 },
  });
  let closing: Promise<void> | undefined;
  const run = workers.start({
    onRecord: () => {
      closing ??= workers.close();
    },
  });
  const summary = await run.finished;
  await closing;
  expect(summary).toMatchObject({
    wasCancelled: true,
    phases: [{ phase: 'profiling', stopReason: 'interrupted' }],
  });
  expect(summary.lostWorkers.map(({ workerId }) => workerId).sort()).toEqual(['worker_0', 'worker_1']);
});
