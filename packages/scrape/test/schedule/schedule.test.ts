import type { Clock } from '@org/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Schedule } from '../../src/schedule/schedule.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createSchedule(intervalMs: number, offsetMs = 0, onTick: (missed: number) => void = () => {}) {
  let skewMs = 0;
  const startMs = Date.now();
  const ticks: { atMs: number; missed: number }[] = [];
  const clock: Clock = { nowNs: () => 0n, monotonicMs: () => Date.now() - startMs + skewMs };
  const schedule = new Schedule({
    clock,
    intervalMs,
    offsetMs,
    onTick: missed => {
      ticks.push({ atMs: clock.monotonicMs(), missed });
      onTick(missed);
    },
  });
  /** Simulates a busy process: advances the time without firing timers. */
  const advanceBusy = (ms: number): void => {
    skewMs += ms;
  };
  return { schedule, ticks, advanceBusy };
}

test('fires on a grid that starts at the offset', () => {
  const { schedule, ticks } = createSchedule(100, 30);
  schedule.start();
  vi.advanceTimersByTime(350);
  expect(ticks.map(({ atMs }) => atMs)).toEqual([30, 130, 230, 330]);
  schedule.stop();
  vi.advanceTimersByTime(1000);
  expect(ticks).toHaveLength(4);
});

test('returns to the grid after a late tick, and reports the missed ticks', () => {
  const { schedule, ticks, advanceBusy } = createSchedule(100);
  schedule.start();
  vi.advanceTimersByTime(100);
  advanceBusy(250);
  vi.advanceTimersByTime(100);
  expect(ticks.at(-1)).toEqual({ atMs: 450, missed: 2 });
  vi.advanceTimersByTime(50);
  expect(ticks.at(-1)).toEqual({ atMs: 500, missed: 0 });
});

test('accounts for every tick of an hour with a fractional interval', () => {
  const { schedule, ticks } = createSchedule(1000 / 3);
  schedule.start();
  vi.advanceTimersByTime(3_600_000);
  // 3600 s / (1/3 s) = 10,800 ticks, plus the tick at the start.
  expect(ticks.length + ticks.reduce((sum, { missed }) => sum + missed, 0)).toBe(10_801);
});
