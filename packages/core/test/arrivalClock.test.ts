import { performance } from 'node:perf_hooks';
import { setTimeout as sleep, setImmediate as waitForImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ArrivalClock } from '../src/arrivalClock.ts';

const readNowNs = (): number => performance.now() * 1e6;

function createRealClock(): ArrivalClock {
  return new ArrivalClock(readNowNs, performance.nodeTiming, setImmediate);
}

function blockLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('all reads of one loop iteration have the time of the first read', () => {
  const arrivals = createRealClock();
  const first = arrivals.readPollNs();
  blockLoop(3);
  expect(arrivals.readPollNs()).toBe(first);
  expect(first).toBeLessThanOrEqual(readNowNs());
});

test('no time precedes the end of the work before the poll, during which the bytes may have arrived', async () => {
  const arrivals = createRealClock();
  arrivals.readPollNs();
  for (const pause of [() => waitForImmediate(), () => sleep(3), () => waitForImmediate(), () => sleep(1)]) {
    blockLoop(1);
    const workEndNs = readNowNs();
    await pause();
    const pollNs = arrivals.readPollNs();
    expect(pollNs).toBeGreaterThanOrEqual(workEndNs);
    expect(pollNs).toBeLessThanOrEqual(readNowNs());
  }
});

test('a time taken in setImmediate is discarded after the next wait', async () => {
  const arrivals = createRealClock();
  await waitForImmediate();
  const early = arrivals.readPollNs();
  const readNs = readNowNs();
  // A timer runs from the start of its loop iteration, which may be long ago.
  while (readNowNs() < readNs + 10e6) await sleep(10);
  expect(arrivals.readPollNs() - early).toBeGreaterThanOrEqual(10e6);
});

test('reads after the 1024th of an iteration belong to another poll', () => {
  let nowNs = 0;
  const arrivals = new ArrivalClock(
    () => nowNs,
    { idleTime: 0 },
    () => {},
  );
  for (nowNs = 0; nowNs < 1024; nowNs++) expect(arrivals.readPollNs()).toBe(0);
  expect(arrivals.readPollNs()).toBe(1024);
});
