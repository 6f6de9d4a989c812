import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { createRunClock, readOrigin } from '../../src/workers/clockOrigin.ts';
import { clock } from '../support/load.ts';

/** The source of a worker thread that writes the current time of the run for each request. */
const TIME_SERVER = `
const { workerData } = require('node:worker_threads');
import(workerData.module).then(({ createRunClock }) => {
  const clock = createRunClock(workerData.origin);
  const requested = new Int32Array(workerData.memory, 0, 2);
  const time = new Float64Array(workerData.memory, 8, 1);
  for (let n = 1; ; n++) {
    Atomics.wait(requested, 0, n - 1);
    time[0] = clock.nowNs();
    Atomics.store(requested, 1, n);
    Atomics.notify(requested, 1);
  }
});`;

test('clocks of different threads agree although performance.now() starts separately in each', async () => {
  const origin = readOrigin(clock);
  const localClock = createRunClock(origin);
  await sleep(50);
  const memory = new SharedArrayBuffer(16);
  const module = new URL('../../dist/workers/clockOrigin.js', import.meta.url).href;
  const worker = new Worker(TIME_SERVER, { eval: true, workerData: { module, origin, memory } });
  onTestFinished(() => void worker.terminate());
  const requested = new Int32Array(memory, 0, 2);
  const time = new Float64Array(memory, 8, 1);
  const earlyByNs: number[] = [];
  const lateByNs: number[] = [];
  for (let n = 1; n <= 200; n++) {
    const before = localClock.nowNs();
    Atomics.store(requested, 0, n);
    Atomics.notify(requested, 0);
    Atomics.wait(requested, 1, n - 1);
    earlyByNs.push(before - time[0]!);
    lateByNs.push(time[0]! - localClock.nowNs());
    await sleep(0);
  }
  // The thread's reading is between two readings of this thread, except for the error of reading two clocks in
  // succession: about a microsecond, or more on machines with slow clocks. Without a common origin, the
  // difference would be 50 ms.
  expect(Math.max(...earlyByNs)).toBeLessThan(500_000);
  expect(Math.max(...lateByNs)).toBeLessThan(500_000);
});

test('the origin is the same time on the wall clock and the monotonic clock', () => {
  const origin = readOrigin(clock);
  const run = createRunClock(origin);
  expect(run.originNs).toBe(origin.wallNs);
  const before = Number(clock.nowNs() - origin.wallNs);
  const now = run.nowNs();
  const after = Number(clock.nowNs() - origin.wallNs);
  expect(now).toBeGreaterThan(before - 500_000);
  expect(now).toBeLessThan(after + 500_000);
});
