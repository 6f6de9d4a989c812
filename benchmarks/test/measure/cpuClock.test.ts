import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CpuClock } from '../../src/measure/cpuClock.ts';

test('adds up the time of measured work only, and returns the result of the work', () => {
  const clock = new CpuClock();
  const spin = (ms: number): string => {
    for (const end = performance.now() + ms; performance.now() < end; );
    return 'done';
  };
  expect(clock.measure(() => spin(30))).toBe('done');
  spin(30);
  clock.measure(() => spin(30));
  expect(clock.wallS).toBeGreaterThanOrEqual(0.06);
  expect(clock.cpuS).toBeGreaterThan(0.005);
});

test('counts waiting as elapsed time, but not as CPU time', async () => {
  const clock = new CpuClock();
  await clock.measureAsync(() => sleep(200));
  expect(clock.wallS).toBeGreaterThan(0.19);
  expect(clock.cpuS).toBeLessThan(clock.wallS);
});
