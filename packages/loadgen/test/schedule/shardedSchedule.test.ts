import type { Shard } from '@org/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Inputs } from '../../src/input/conversation.ts';
import type { PhaseOptions } from '../../src/run/loadOptions.ts';
import { createPhasePlan, type PhasePlan } from '../../src/run/phasePlan.ts';
import { ConcurrencyLimit } from '../../src/schedule/concurrencyLimit.ts';
import { selectArrivals } from '../../src/schedule/shardedSchedule.ts';

const shards = (count: number): Shard[] => Array.from({ length: count }, (_, index) => ({ index, count }));

const createInputs = (size: number | undefined, startsMs?: readonly number[], turns = 1): Inputs => ({
  size,
  startsMs,
  getConversation: index => ({
    id: `c${index}`,
    turns: Array.from({ length: turns }, () => ({ text: 'a' })),
  }),
});

const drawAll = ({ createArrivals, requestCount }: PhasePlan): number[] => {
  const schedule = createArrivals!();
  const times: number[] = [];
  for (let time = schedule.next(); time !== undefined && times.length < requestCount; time = schedule.next())
    times.push(time);
  return times;
};

describe('any number of shards', () => {
  test('divides the slots of a ramp exactly, at all times', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 0, max: 20, noNaN: true }),
        fc.double({ min: 0, max: 25, noNaN: true }),
        (count, max, rampS, atS) => {
          const whole = new ConcurrencyLimit(max, rampS);
          const parts = shards(count).map(shard => new ConcurrencyLimit(max, rampS, shard));
          const sum = parts.reduce((slots, part) => slots + part.countSlots(atS * 1e9), 0);
          expect(sum).toBe(whole.countSlots(atS * 1e9));
          for (const part of parts) {
            const nextNs = part.findNextChange(atS * 1e9);
            if (nextNs === undefined) expect(part.countSlots(1e12)).toBe(part.countSlots(atS * 1e9));
            else expect(part.countSlots(nextNs)).toBeGreaterThan(part.countSlots(atS * 1e9));
          }
        },
      ),
    );
  });

  test('divides the arrivals of each schedule exactly', () => {
    const load = fc.constantFrom<PhaseOptions>(
      { rate: 50, pattern: 'constant' },
      { rate: 50, pattern: 'poisson' },
      { rate: 50, pattern: 'gamma', smoothness: 0.3 },
      { rate: 50, rateRampS: 2 },
      {
        rate: 5,
        rateSeries: [
          { timeS: 0, perSecond: 5 },
          { timeS: 3, perSecond: 90 },
        ],
      },
      { rate: 20, users: 4 },
      { fixedSchedule: true },
    );
    const startsMs = Array.from({ length: 500 }, (_, index) => Math.floor(index * 1.7));
    fc.assert(
      fc.property(
        load,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 20, max: 300 }),
        fc.integer(),
        (options, count, sessionCount, seed) => {
          const inputs = createInputs(options.fixedSchedule ? startsMs.length : undefined, startsMs);
          const phase = { ...options, sessionCount };
          const take = (shard?: Shard): number[] => {
            const plan = createPhasePlan('profiling', phase, inputs, seed, shard);
            return drawAll({ ...plan, requestCount: plan.sessionCount });
          };
          const merged = shards(count).flatMap(take);
          expect(merged.sort((a, b) => a - b)).toEqual(take());
        },
      ),
    );
  });

  test('divides the first requests of users exactly', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 5, max: 12 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 60, max: 300 }),
        (count, users, turns, requestCount) => {
          const inputs = createInputs(undefined, undefined, turns);
          const phase = { rate: 10, users, requestCount };
          const counts = shards(count).map(
            shard => createPhasePlan('profiling', phase, inputs, 0, shard).requestCount,
          );
          expect(counts.reduce((sum, share) => sum + share, 0)).toBe(requestCount);
        },
      ),
    );
  });
});

test('ends the arrivals of a shard with the last arrival of the load', () => {
  const times = [1, 2, 3, 4];
  const schedule = selectArrivals({ next: () => times.shift() }, { index: 1, count: 3 });
  expect([schedule.next(), schedule.next(), schedule.next()]).toEqual([2, undefined, undefined]);
});

test('rejects an invalid shard', () => {
  expect(() =>
    createPhasePlan('profiling', { concurrency: 9, requestCount: 9 }, createInputs(undefined), 0, {
      index: 3,
      count: 3,
    }),
  ).toThrow(
    'shard: shard is 3/3; expected an index from 0 to one less than the count, and a count of at most 10000',
  );
});

const profiling = { requestCount: 9 };

test.each<[string, PhaseOptions, Inputs, string]>([
  ['slots', { ...profiling, concurrency: 2 }, createInputs(undefined), 'the concurrency of profiling is 2'],
  [
    'prefill slots',
    { ...profiling, concurrency: 3, prefillConcurrency: 1 },
    createInputs(undefined),
    'the prefill concurrency of profiling is 1',
  ],
  [
    'requests',
    { concurrency: 3, requestCount: 1 },
    createInputs(undefined),
    'the number of requests of profiling is 1',
  ],
  ['conversations', { concurrency: 3 }, createInputs(2), 'the number of conversations of profiling is 2'],
])('rejects a load with fewer %s than shards', (_, options, inputs, message) => {
  expect(() => createPhasePlan('profiling', options, inputs, 0, { index: 2, count: 3 })).toThrow(
    `shard: ${message} for 3 shards; expected at least one for each shard`,
  );
});

test('rejects a shard without requests of users', () => {
  const options = { rate: 10, users: 2, requestCount: 4 };
  const inputs = createInputs(undefined, undefined, 50);
  expect(() => createPhasePlan('profiling', options, inputs, 0, { index: 3, count: 4 })).toThrow(
    'shard: shard 3/4 has none of the 4 requests of profiling; expected fewer shards or more requests',
  );
});
