import { expect, test } from 'vitest';
import { fixedArrivals } from '../../src/schedule/fixedSchedule.ts';

test('gives the times in ns, and then no more', () => {
  const arrivals = fixedArrivals([0, 0, 1.5]);
  expect([arrivals.next(), arrivals.next(), arrivals.next(), arrivals.next()]).toEqual([
    0,
    0,
    1.5e6,
    undefined,
  ]);
});

test.each([[[5, 4]], [[-1]], [[Number.NaN]]])('refuses %j', times => {
  expect(() => fixedArrivals(times)).toThrow(/fixed schedule: entry \d is at/);
});
