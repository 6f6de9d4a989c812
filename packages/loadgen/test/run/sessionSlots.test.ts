import { WHOLE_RUN } from '@org/core';
import { describe, expect, test } from 'vitest';
import { RunClock } from '../../src/clock.ts';
import { Ledger } from '../../src/run/ledger.ts';
import type { PhasePlan } from '../../src/run/phasePlan.ts';
import { SessionSlots } from '../../src/run/sessionSlots.ts';
import { createFixedSchedule } from '../../src/schedule/arrivalSchedule.ts';
import { ConcurrencyLimit } from '../../src/schedule/concurrencyLimit.ts';

/** Creates the slots of several threads over the same ledger. */
function createSlots(workers: number, overrides: Partial<PhasePlan>) {
  let nowMs = 0;
  const clock = new RunClock({ nowNs: () => 0n, monotonicMs: () => nowMs });
  const memory = new SharedArrayBuffer(Ledger.computeBytes(workers));
  new Ledger(workers, memory).reset();
  const wakeUps: number[] = [];
  const plan: PhasePlan = {
    phase: 'profiling',
    shard: WHOLE_RUN,
    maxConversations: 100,
    concurrency: new ConcurrencyLimit(2),
    createArrivals: undefined,
    isScheduled: false,
    prefill: undefined,
    users: undefined,
    requestCount: 100,
    sessionCount: 100,
    durationNs: Number.POSITIVE_INFINITY,
    graceNs: 0,
    failureThreshold: undefined,
    ...overrides,
  };
  const slots = Array.from({ length: workers }, (_, worker) => {
    const ledger = new Ledger(workers, memory);
    return new SessionSlots(plan, clock, {
      worker,
      ledger,
      wakeOthers: () => wakeUps.push(worker),
      isPaused: () => false,
    });
  });
  for (const slot of slots) slot.start(0);
  const setTime = (ms: number): void => {
    nowMs = ms;
  };
  return { slots, wakeUps, setTime };
}

describe('closed loop', () => {
  test('divides slots and sessions between the threads', () => {
    const { slots } = createSlots(2, { concurrency: new ConcurrencyLimit(3) });
    const [a, b] = slots as [SessionSlots, SessionSlots];
    expect([a.take(0), a.take(0), a.take(0)]).toEqual([0, 2, undefined]);
    expect([b.take(0), b.take(0)]).toEqual([1, undefined]);
    a.release();
    expect([a.active, a.take(0)]).toEqual([1, 4]);
  });

  test('a thread takes sessions of other threads after its own sessions', () => {
    const { slots } = createSlots(2, { concurrency: new ConcurrencyLimit(8), sessionCount: 3 });
    const [a, b] = slots as [SessionSlots, SessionSlots];
    expect([a.take(0), a.take(0), a.take(0), a.take(0)]).toEqual([0, 2, 1, undefined]);
    expect(b.hasSession()).toBe(false);
  });

  test('wakes other threads after the last session', () => {
    const { slots, wakeUps } = createSlots(2, { sessionCount: 1 });
    const [a] = slots as [SessionSlots];
    a.notifyOthers();
    expect(wakeUps).toEqual([]);
    a.take(0);
    a.notifyOthers();
    a.notifyOthers();
    expect(wakeUps).toEqual([0]);
  });

  test('adds slots during a ramp', () => {
    const { slots, setTime } = createSlots(1, { concurrency: new ConcurrencyLimit(3, 2) });
    const [a] = slots as [SessionSlots];
    expect([a.take(0), a.take(0), a.findNextChangeNs()]).toEqual([0, undefined, 1e9]);
    setTime(1000);
    expect([a.take(0), a.take(0), a.findNextChangeNs()]).toEqual([1, undefined, 2e9]);
    setTime(2000);
    expect([a.take(0), a.findNextChangeNs()]).toEqual([2, Number.POSITIVE_INFINITY]);
  });
});

describe('open loop', () => {
  test('shares slots and gives them to the oldest arrival', () => {
    const { slots, wakeUps } = createSlots(2, {
      concurrency: new ConcurrencyLimit(1),
      createArrivals: () => createFixedSchedule([]),
    });
    const [a, b] = slots as [SessionSlots, SessionSlots];
    expect([a.take(10), b.take(20), a.take(30)]).toEqual([0, undefined, undefined]);
    a.release();
    a.notifyOthers();
    expect(wakeUps).toEqual([0]);
    expect(a.take(30)).toBeUndefined();
    expect(b.take(20)).toBe(1);
  });

  test('provides a slot for every arrival without a concurrency limit', () => {
    const { slots } = createSlots(1, {
      concurrency: new ConcurrencyLimit(),
      createArrivals: () => createFixedSchedule([]),
    });
    const [a] = slots as [SessionSlots];
    expect(Array.from({ length: 5 }, () => a.take(0))).toEqual([0, 1, 2, 3, 4]);
  });
});
