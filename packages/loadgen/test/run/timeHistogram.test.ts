import { expect, test } from 'vitest';
import { TimeHistogram } from '../../src/run/timeHistogram.ts';

test('returns zeros for an empty histogram', () => {
  expect(new TimeHistogram().computeStats()).toEqual({ count: 0, meanNs: 0, p50Ns: 0, p99Ns: 0, maxNs: 0 });
});

test('keeps three significant digits', () => {
  const histogram = new TimeHistogram();
  for (let ms = 1; ms <= 1000; ms++) histogram.add(ms * 1e6);
  // A negative time is recorded as 1 ns, the minimum.
  histogram.add(-5);
  const { count, p50Ns, p99Ns } = histogram.computeStats();
  expect(count).toBe(1001);
  expect(Math.abs(p50Ns / 1e6 - 500)).toBeLessThan(3);
  expect(Math.abs(p99Ns / 1e6 - 990)).toBeLessThan(3);
});
