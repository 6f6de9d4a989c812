import { expect, test, vi } from 'vitest';
import { createSystemClock } from '../../src/schedule/clock.ts';

test('starts at the wall time', () => {
  const beforeMs = Date.now();
  const nowMs = Number(createSystemClock().nowNs() / 1_000_000n);
  expect(nowMs).toBeGreaterThan(beforeMs - 1000);
  expect(nowMs).toBeLessThan(Date.now() + 1000);
});

test('never goes backwards', () => {
  const clock = createSystemClock();
  let [lastNs, lastMs] = [clock.nowNs(), clock.monotonicMs()];
  for (let i = 0; i < 10_000; i++) {
    const [nowNs, nowMs] = [clock.nowNs(), clock.monotonicMs()];
    expect(nowNs >= lastNs && nowMs >= lastMs).toBe(true);
    [lastNs, lastMs] = [nowNs, nowMs];
  }
});

test('ignores changes of the wall clock', () => {
  const clock = createSystemClock();
  const beforeNs = clock.nowNs();
  vi.setSystemTime(0);
  try {
    expect(Date.now()).toBeLessThan(60_000);
    expect(clock.nowNs()).toBeGreaterThanOrEqual(beforeNs);
  } finally {
    vi.useRealTimers();
  }
});
