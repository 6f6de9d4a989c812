import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { clockSince, originOf } from '../../src/workers/clockOrigin.ts';
import { clock } from '../support/load.ts';

/** What a thread does here: it tells the time of the run each time it is asked. */
const ANSWERING = `
const { workerData } = require('node:worker_threads');
import(workerData.module).then(({ clockSince }) => {
  const clock = clockSince(workerData.origin);
  const asked = new Int32Array(workerData.memory, 0, 2);
  const time = new Float64Array(workerData.memory, 8, 1);
  for (let n = 1; ; n++) {
    Atomics.wait(asked, 0, n - 1);
    time[0] = clock.now();
    Atomics.store(asked, 1, n);
    Atomics.notify(asked, 1);
  }
});`;

test('threads have the same time, although each has its own beginning of performance.now()', async () => {
  const origin = originOf(clock);
  const here = clockSince(origin);
  await sleep(50);
  const memory = new SharedArrayBuffer(16);
  const module = new URL('../../dist/workers/clockOrigin.js', import.meta.url).href;
  const worker = new Worker(ANSWERING, { eval: true, workerData: { module, origin, memory } });
  onTestFinished(() => void worker.terminate());
  const asked = new Int32Array(memory, 0, 2);
  const time = new Float64Array(memory, 8, 1);
  const early: number[] = [];
  const late: number[] = [];
  for (let n = 1; n <= 200; n++) {
    const before = here.now();
    Atomics.store(asked, 0, n);
    Atomics.notify(asked, 0);
    Atomics.wait(asked, 1, n - 1);
    early.push(before - time[0]!);
    late.push(time[0]! - here.now());
    await sleep(0);
  }
  // The reading of the thread lies between two of ours, but for what reading two clocks together costs: a microsecond, and on machines
  // whose clocks are slow many more. Without an origin in common it were the 50 ms.
  expect(Math.max(...early)).toBeLessThan(500_000);
  expect(Math.max(...late)).toBeLessThan(500_000);
});

test('the origin is the same moment on the wall and in the run', () => {
  const origin = originOf(clock);
  const run = clockSince(origin);
  expect(run.originNs).toBe(origin.wallNs);
  const before = Number(clock.nowNs() - origin.wallNs);
  const now = run.now();
  const after = Number(clock.nowNs() - origin.wallNs);
  expect(now).toBeGreaterThan(before - 500_000);
  expect(now).toBeLessThan(after + 500_000);
});
