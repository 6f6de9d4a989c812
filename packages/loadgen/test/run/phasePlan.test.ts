import { expect, test } from 'vitest';
import type { Inputs } from '../../src/input/conversation.ts';
import { createPhasePlan } from '../../src/run/phasePlan.ts';

function createInputs(size: number | undefined, startsMs?: readonly number[]): Inputs {
  return { size, startsMs, getConversation: () => ({ id: 'c', turns: [{ text: 'a' }] }) };
}

test('uses each conversation once if no limit is set', () => {
  expect(createPhasePlan('profiling', { concurrency: 1 }, createInputs(7), 0)).toMatchObject({
    createArrivals: undefined,
    requestCount: Number.POSITIVE_INFINITY,
    sessionCount: 7,
    durationNs: Number.POSITIVE_INFINITY,
    graceNs: 30e9,
  });
});

test('repeats conversations up to a limit', () => {
  const options = { concurrency: 1, requestCount: 50, durationS: 2, graceS: 0 };
  expect(createPhasePlan('profiling', options, createInputs(7), 0)).toMatchObject({
    requestCount: 50,
    sessionCount: Number.POSITIVE_INFINITY,
    durationNs: 2e9,
    graceNs: 0,
  });
});

test('never repeats a schedule', () => {
  const options = { fixedSchedule: true, requestCount: 50 };
  const plan = createPhasePlan('profiling', options, createInputs(2, [0, 5]), 0);
  expect(plan).toMatchObject({ isScheduled: true, sessionCount: 2 });
  const arrivals = plan.createArrivals!();
  expect([arrivals.next(), arrivals.next(), arrivals.next()]).toEqual([0, 5e6, undefined]);
});

test('draws different arrivals for each phase', () => {
  const drawFirstArrival = (phase: 'warmup' | 'profiling', seed: number) =>
    createPhasePlan(phase, { rate: 10, requestCount: 5 }, createInputs(undefined), seed)
      .createArrivals!().next();
  expect(drawFirstArrival('warmup', 1)).toBe(drawFirstArrival('warmup', 1));
  expect(drawFirstArrival('warmup', 1)).not.toBe(drawFirstArrival('profiling', 1));
  expect(drawFirstArrival('warmup', 1)).not.toBe(drawFirstArrival('warmup', 2));
});
