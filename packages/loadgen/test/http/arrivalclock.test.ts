import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RunClock } from '../../src/clock.ts';
import { ArrivalClock } from '../../src/http/arrivalclock.ts';
import { clock as wall } from '../support/load.ts';

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('what is read in one turn has the time of its first read', () => {
  const clock = new RunClock(wall);
  const arrivals = new ArrivalClock(clock);
  const first = arrivals.now();
  work(3);
  expect(arrivals.now()).toBe(first);
  expect(first).toBeLessThanOrEqual(clock.now());
});

test('the next turn has a time of its own, whether the loop waited or not', async () => {
  const clock = new RunClock(wall);
  const arrivals = new ArrivalClock(clock);
  let last = arrivals.now();
  for (const pause of [() => turn(), () => sleep(3), () => turn(), () => sleep(1)]) {
    work(1);
    await pause();
    const now = arrivals.now();
    expect(now).toBeGreaterThan(last);
    expect(now).toBeLessThanOrEqual(clock.now());
    last = now;
  }
});

test('a time that was taken in an immediate does not outlive the wait behind it', async () => {
  const clock = new RunClock(wall);
  const arrivals = new ArrivalClock(clock);
  await turn();
  const early = arrivals.now();
  const readMs = performance.now();
  // A timer counts from the beginning of its turn, which may be long ago.
  while (performance.now() < readMs + 10) await sleep(10);
  // On a machine that stopped just then, nothing was waited for, and it is the middle.
  expect(arrivals.now() - early).toBeGreaterThan(4e6);
});

interface Read {
  /** When, ms of the run. */
  readonly atMs: number;
  /** How long the loop has waited in all by then, ms. */
  readonly waitedMs: number;
  /** Turns of the loop by then. */
  readonly turns: number;
  /** When the bytes are taken to have arrived, ms of the run. */
  readonly arrivedMs: number;
}

test.each<[string, readonly Read[]]>([
  ['bytes that wake the loop come when it wakes', [{ atMs: 10, waitedMs: 9, turns: 4, arrivedMs: 10 }]],
  [
    'bytes that came while it was at work came in the middle of that',
    [
      { atMs: 10, waitedMs: 9, turns: 4, arrivedMs: 10 },
      { atMs: 12, waitedMs: 9, turns: 5, arrivedMs: 11 },
      { atMs: 13, waitedMs: 9, turns: 6, arrivedMs: 12.5 },
    ],
  ],
  [
    'turns that found nothing make that shorter',
    [
      { atMs: 10, waitedMs: 9, turns: 4, arrivedMs: 10 },
      { atMs: 14, waitedMs: 9, turns: 8, arrivedMs: 13.5 },
    ],
  ],
  [
    'a look at sockets that had something already is no wait',
    [
      { atMs: 10, waitedMs: 9, turns: 4, arrivedMs: 10 },
      { atMs: 12, waitedMs: 9.002, turns: 5, arrivedMs: 11 },
    ],
  ],
  [
    'work before a wait does not count',
    [
      { atMs: 10, waitedMs: 9, turns: 4, arrivedMs: 10 },
      { atMs: 30, waitedMs: 20, turns: 6, arrivedMs: 30 },
    ],
  ],
])('%s', async (_name, reads) => {
  let nowMs = 0;
  let read: Omit<Read, 'arrivedMs'> = { atMs: 0, waitedMs: 0, turns: 1 };
  const clock = new RunClock({ nowNs: () => 0n, monotonicMs: () => nowMs });
  const loop = { waitedMs: () => read.waitedMs, turns: () => read.turns };
  const arrivals = new ArrivalClock(clock, loop);
  for (read of reads) {
    nowMs = read.atMs;
    expect(arrivals.now()).toBe((read as Read).arrivedMs * 1e6);
    nowMs += 0.3;
    expect(arrivals.now()).toBe((read as Read).arrivedMs * 1e6);
    await turn();
  }
});
