import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { measureWork } from '../../src/watch/work.ts';

/** Uses a CPU for a time, in milliseconds. */
function useCpu(ms: number): void {
  const start = process.cpuUsage();
  let used = 0;
  while (used < ms) {
    const { user, system } = process.cpuUsage(start);
    used = (user + system) / 1000;
  }
}

test('measures the CPU time, and the time in which there was work', async () => {
  // The event loop of the test has started by then.
  await setTimeout(1);
  const end = measureWork();
  useCpu(20);
  const { cpuMs, activeMs } = end();
  expect(cpuMs).toBeGreaterThanOrEqual(20);
  expect(activeMs).toBeGreaterThan(0);
});

test('does not count the time in which the process waits for an event', async () => {
  await setTimeout(1);
  const startMs = performance.now();
  const end = measureWork();
  await setTimeout(20);
  const { activeMs } = end();
  expect(activeMs).toBeLessThan(performance.now() - startMs);
});
