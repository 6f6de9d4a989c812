import { expect, test } from 'vitest';
import { RunClock } from '../../src/clock.ts';
import { PreciseTimer } from '../../src/schedule/preciseTimer.ts';
import { clock as wallClock } from '../support/load.ts';

test('calls back once, and not before the set time', async () => {
  const clock = new RunClock(wallClock);
  for (const delayNs of [0, 2e5, 3e6, 12.3e6]) {
    const atNs = clock.nowNs() + delayNs;
    let calls = 0;
    await new Promise<void>(resolve => {
      const timer = new PreciseTimer(clock, () => {
        calls += 1;
        resolve();
      });
      timer.set(atNs);
      timer.set(atNs);
    });
    expect(clock.nowNs()).toBeGreaterThanOrEqual(atNs);
    await new Promise(resolve => setTimeout(resolve, 3));
    expect(calls).toBe(1);
  }
});

test('setting the timer again replaces the earlier time, and clearing it cancels the callback', async () => {
  const clock = new RunClock(wallClock);
  let calls = 0;
  const timer = new PreciseTimer(clock, () => {
    calls += 1;
  });
  timer.set(clock.nowNs() + 1e6);
  timer.set(clock.nowNs() + 1e12);
  await new Promise(resolve => setTimeout(resolve, 10));
  expect(calls).toBe(0);
  timer.set(clock.nowNs() + 1e6);
  timer.clear();
  await new Promise(resolve => setTimeout(resolve, 10));
  expect(calls).toBe(0);
});
