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
  const first = arrivals.now();
  blockLoop(3);
  expect(arrivals.now()).toBe(first);
  expect(first).toBeLessThanOrEqual(readNowNs());
});

test('the next iteration has a new time, whether the loop waited or not', async () => {
  const arrivals = createRealClock();
  let last = arrivals.now();
  for (const pause of [() => waitForImmediate(), () => sleep(3), () => waitForImmediate(), () => sleep(1)]) {
    blockLoop(1);
    await pause();
    const now = arrivals.now();
    expect(now).toBeGreaterThan(last);
    expect(now).toBeLessThanOrEqual(readNowNs());
    last = now;
  }
});

test('a time taken in setImmediate is discarded after the next wait', async () => {
  const arrivals = createRealClock();
  await waitForImmediate();
  const early = arrivals.now();
  const readNs = readNowNs();
  // A timer runs from the start of its loop iteration, which may be long ago.
  while (readNowNs() < readNs + 10e6) await sleep(10);
  // If the machine pauses at this point, the loop does not wait, and the midpoint of the busy time is used.
  expect(arrivals.now() - early).toBeGreaterThan(4e6);
});

/** An action of an event loop. */
interface Step {
  /** Time in ms. */
  readonly atMs: number;
  /** Total waiting time of the loop in ms. */
  readonly waitedMs: number;
  /** Number of loop iterations. */
  readonly iterations: number;
  /** Expected arrival time of the bytes being read, in ms; undefined for the start of work other than reading. */
  readonly arrivedMs?: number;
  /** Send time of the request, in ms. */
  readonly sentMs?: number;
}

test.each<[string, readonly Step[]]>([
  [
    'bytes that wake up the loop arrive at the time of the poll',
    [{ atMs: 10, waitedMs: 9, iterations: 4, arrivedMs: 10 }],
  ],
  [
    'bytes that arrive while the loop is busy get the midpoint',
    [
      { atMs: 10, waitedMs: 9, iterations: 4, arrivedMs: 10 },
      { atMs: 12, waitedMs: 9, iterations: 5, arrivedMs: 11 },
      { atMs: 13, waitedMs: 9, iterations: 6, arrivedMs: 12.5 },
    ],
  ],
  [
    'iterations without data shorten the busy time',
    [
      { atMs: 10, waitedMs: 9, iterations: 4, arrivedMs: 10 },
      { atMs: 14, waitedMs: 9, iterations: 8, arrivedMs: 13.5 },
    ],
  ],
  [
    'a poll that returns at once does not count as waiting',
    [
      { atMs: 10, waitedMs: 9, iterations: 4, arrivedMs: 10 },
      { atMs: 12, waitedMs: 9.002, iterations: 5, arrivedMs: 11 },
    ],
  ],
  [
    'work before a wait is ignored',
    [
      { atMs: 10, waitedMs: 9, iterations: 4, arrivedMs: 10 },
      { atMs: 30, waitedMs: 20, iterations: 6, arrivedMs: 30 },
    ],
  ],
  [
    'work of a timer that woke up the loop is busy time',
    [
      { atMs: 10, waitedMs: 9, iterations: 4, arrivedMs: 10 },
      { atMs: 30, waitedMs: 20, iterations: 6 },
      { atMs: 34, waitedMs: 20, iterations: 6, arrivedMs: 32 },
    ],
  ],
  [
    'the busy time starts with the first of two tasks in one iteration',
    [
      { atMs: 30, waitedMs: 20, iterations: 6 },
      { atMs: 32, waitedMs: 20, iterations: 6 },
      { atMs: 34, waitedMs: 20, iterations: 6, arrivedMs: 32 },
    ],
  ],
  [
    'work after a read does not shorten the busy time',
    [
      { atMs: 10, waitedMs: 9, iterations: 4, arrivedMs: 10 },
      { atMs: 12, waitedMs: 9, iterations: 5 },
      { atMs: 14, waitedMs: 9, iterations: 5, arrivedMs: 12 },
    ],
  ],
  [
    'work two iterations after a read starts a new busy period, because sockets were polled in between',
    [
      { atMs: 10, waitedMs: 9, iterations: 4, arrivedMs: 10 },
      { atMs: 12, waitedMs: 9, iterations: 5 },
      { atMs: 14, waitedMs: 9, iterations: 6 },
      { atMs: 15, waitedMs: 9, iterations: 7, arrivedMs: 14.5 },
    ],
  ],
  [
    'the busy time is limited to 4 ms',
    [
      { atMs: 10, waitedMs: 9, iterations: 4, arrivedMs: 10 },
      { atMs: 60, waitedMs: 9, iterations: 5, arrivedMs: 58 },
    ],
  ],
  [
    'a response arrives after its request, at the midpoint of the remaining time',
    [
      { atMs: 10, waitedMs: 9, iterations: 4, arrivedMs: 10 },
      { atMs: 13, waitedMs: 9, iterations: 5, sentMs: 12, arrivedMs: 12.5 },
      { atMs: 14, waitedMs: 9, iterations: 6, sentMs: 11, arrivedMs: 13.5 },
      { atMs: 15, waitedMs: 9, iterations: 7, sentMs: 15.2, arrivedMs: 15.2 },
    ],
  ],
])('%s', async (_name, steps) => {
  let nowMs = 0;
  let step: Step = { atMs: 0, waitedMs: 0, iterations: 1 };
  const loop = {
    get idleTime() {
      return step.waitedMs;
    },
    get uvMetricsInfo() {
      return { loopCount: step.iterations };
    },
  };
  const arrivals = new ArrivalClock(() => nowMs * 1e6, loop, setImmediate);
  for (step of steps) {
    nowMs = step.atMs;
    if (step.arrivedMs === undefined) arrivals.beginWork();
    else {
      const sentNs = step.sentMs === undefined ? undefined : step.sentMs * 1e6;
      expect(arrivals.now(sentNs)).toBe(step.arrivedMs * 1e6);
      nowMs += 0.3;
      expect(arrivals.now(sentNs)).toBe(step.arrivedMs * 1e6);
    }
    await waitForImmediate();
  }
});
