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
    // Immediates of one turn run in the order in which they were set: the clock's own was first.
    const before = clock.now();
    const now = arrivals.now();
    expect(now).toBeGreaterThan(last);
    expect(now).toBeGreaterThanOrEqual(before);
    last = now;
  }
});

test('a time that was taken in an immediate does not outlive the wait behind it', async () => {
  const clock = new RunClock(wall);
  const arrivals = new ArrivalClock(clock);
  await turn();
  const early = arrivals.now();
  await sleep(10);
  expect(arrivals.now() - early).toBeGreaterThan(7e6);
});
