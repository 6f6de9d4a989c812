import { expect, test } from 'vitest';
import { RunClock } from '../../src/clock.ts';
import { Alarm } from '../../src/schedule/preciseTimer.ts';
import { clock as wall } from '../support/load.ts';

test('rings once, and never before its time', async () => {
  const clock = new RunClock(wall);
  for (const delayNs of [0, 2e5, 3e6, 12.3e6]) {
    const atNs = clock.now() + delayNs;
    let rung = 0;
    await new Promise<void>(resolve => {
      const alarm = new Alarm(clock, () => {
        rung += 1;
        resolve();
      });
      alarm.set(atNs);
      alarm.set(atNs);
    });
    expect(clock.now()).toBeGreaterThanOrEqual(atNs);
    await new Promise(resolve => setTimeout(resolve, 3));
    expect(rung).toBe(1);
  }
});

test('a later setting takes the place of the earlier one, and clearing of all', async () => {
  const clock = new RunClock(wall);
  let rung = 0;
  const alarm = new Alarm(clock, () => {
    rung += 1;
  });
  alarm.set(clock.now() + 1e6);
  alarm.set(clock.now() + 1e12);
  await new Promise(resolve => setTimeout(resolve, 10));
  expect(rung).toBe(0);
  alarm.set(clock.now() + 1e6);
  alarm.clear();
  await new Promise(resolve => setTimeout(resolve, 10));
  expect(rung).toBe(0);
});
