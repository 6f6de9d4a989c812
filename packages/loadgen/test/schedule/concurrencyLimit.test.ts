import { expect, test } from 'vitest';
import { ConcurrencyLimit } from '../../src/schedule/concurrencyLimit.ts';

test.each([
  [8, 0, 0, 8],
  [9, 4, 0, 1],
  [9, 4, 1, 3],
  [9, 4, 2.4, 5],
  [9, 4, 4, 9],
  [1, 4, 0, 1],
])('a limit of %d with a ramp of %d s has, after %d s, %d slots', (max, rampS, atS, slots) => {
  expect(new ConcurrencyLimit(max, rampS).countSlots(atS * 1e9)).toBe(slots);
});

test('the next change is the time at which a slot is added', () => {
  const concurrency = new ConcurrencyLimit(4, 3);
  let at = 0;
  const slots: number[] = [];
  for (let next: number | undefined = 0; next !== undefined; next = concurrency.findNextChange(at)) {
    at = next;
    slots.push(concurrency.countSlots(at));
  }
  expect(slots).toEqual([1, 2, 3, 4]);
  expect(at).toBe(3e9);
});

test('the number of slots is infinite without a limit', () => {
  expect(new ConcurrencyLimit().countSlots(0)).toBe(Number.POSITIVE_INFINITY);
  expect(new ConcurrencyLimit().findNextChange(0)).toBeUndefined();
});

test.each([0, 1.5, -3, Number.NaN])('rejects a limit of %d', max => {
  expect(() => new ConcurrencyLimit(max)).toThrow(`concurrency is ${max}; expected an integer of at least 1`);
});
