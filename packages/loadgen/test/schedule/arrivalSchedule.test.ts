import { expect, test } from 'vitest';
import { createFixedSchedule } from '../../src/schedule/arrivalSchedule.ts';

test('returns times in ns, then undefined', () => {
  const arrivals = createFixedSchedule([0, 0, 1.5]);
  expect([arrivals.next(), arrivals.next(), arrivals.next(), arrivals.next()]).toEqual([
    0,
    0,
    1.5e6,
    undefined,
  ]);
});

test.each([[[5, 4]], [[-1]], [[Number.NaN]]])('rejects %j', times => {
  expect(() => createFixedSchedule(times)).toThrow(/invalid fixed schedule: entry \d is at/);
});
