import { expect, test } from 'vitest';
import { EventLoopMonitor } from '../../src/run/eventLoopMonitor.ts';

test('measures the delay and the utilization of a blocked event loop', async () => {
  const monitor = new EventLoopMonitor();
  const startMs = performance.now();
  monitor.start();
  await new Promise(resolve => setTimeout(resolve, 10));
  const end = performance.now() + 30;
  while (performance.now() < end);
  await new Promise(resolve => setTimeout(resolve, 10));
  const { delay, busy } = monitor.stop();
  expect(delay.maxNs).toBeGreaterThan(20e6);
  // The loop was blocked for 30 ms, however long the machine paused otherwise.
  expect(busy * (performance.now() - startMs)).toBeGreaterThan(24);
  expect(busy).toBeLessThanOrEqual(1);
});
