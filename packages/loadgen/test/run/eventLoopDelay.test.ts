import { expect, test } from 'vitest';
import { LagMonitor, TimeHistogram } from '../../src/run/eventLoopDelay.ts';

test('a loop that is held up is late', async () => {
  const monitor = new LagMonitor();
  const startMs = performance.now();
  monitor.start();
  await new Promise(resolve => setTimeout(resolve, 10));
  const end = performance.now() + 30;
  while (performance.now() < end);
  await new Promise(resolve => setTimeout(resolve, 10));
  const { lag, busy } = monitor.stop();
  expect(lag.maxNs).toBeGreaterThan(20e6);
  // The 30 ms of work, however long the machine let it wait.
  expect(busy * (performance.now() - startMs)).toBeGreaterThan(24);
  expect(busy).toBeLessThanOrEqual(1);
});

test('a histogram of times has three digits', () => {
  const histogram = new TimeHistogram();
  expect(histogram.spread()).toEqual({ count: 0, meanNs: 0, p50Ns: 0, p99Ns: 0, maxNs: 0 });
  for (let ms = 1; ms <= 1000; ms++) histogram.add(ms * 1e6);
  histogram.add(-5);
  const { count, p50Ns, p99Ns } = histogram.spread();
  expect(count).toBe(1001);
  expect(Math.abs(p50Ns / 1e6 - 500)).toBeLessThan(3);
  expect(Math.abs(p99Ns / 1e6 - 990)).toBeLessThan(3);
});
