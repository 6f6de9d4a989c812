import { expect, test } from 'vitest';
import { RunClock, toWallNs } from '../src/clock.ts';

/** Creates a clock, and the times that it returns, which a test can change. */
function createClock() {
  const time = { wallNs: 5_000_000_000n, monotonicMs: 700 };
  return { time, clock: { nowNs: () => time.wallNs, monotonicMs: () => time.monotonicMs } };
}

test('measures the time since its creation in integer nanoseconds', () => {
  const { time, clock } = createClock();
  const run = new RunClock(clock);
  expect([run.originNs, run.nowNs()]).toEqual([5_000_000_000n, 0]);
  time.monotonicMs += 1.234_567_8;
  expect(run.nowNs()).toBe(1_234_568);
});

test('ignores steps of the wall clock', () => {
  const { time, clock } = createClock();
  const run = new RunClock(clock);
  time.wallNs += 3_600_000_000_000n;
  time.monotonicMs += 1;
  expect(toWallNs(run.originNs, run.nowNs())).toBe(5_001_000_000n);
});

test('accepts an origin in the past', () => {
  const run = new RunClock(createClock().clock, { wallNs: 4_000_000_000n, monotonicMs: 200 });
  expect([run.originNs, run.nowNs()]).toEqual([4_000_000_000n, 500e6]);
});
