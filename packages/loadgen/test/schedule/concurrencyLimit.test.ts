import { expect, test } from 'vitest';
import { Concurrency } from '../../src/schedule/concurrencyLimit.ts';

test.each([
  [8, 0, 0, 8],
  [9, 4, 0, 1],
  [9, 4, 1, 3],
  [9, 4, 2.4, 5],
  [9, 4, 4, 9],
  [1, 4, 0, 1],
])('%d places after %d s: at %d s there are %d', (most, rampS, atS, places) => {
  expect(new Concurrency(most, rampS).placesAt(atS * 1e9)).toBe(places);
});

test('the next change is when a place is added', () => {
  const concurrency = new Concurrency(4, 3);
  let at = 0;
  const seen: number[] = [];
  for (let next: number | undefined = 0; next !== undefined; next = concurrency.nextChange(at)) {
    at = next;
    seen.push(concurrency.placesAt(at));
  }
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(at).toBe(3e9);
});

test('without a limit there always is a place', () => {
  expect(new Concurrency().placesAt(0)).toBe(Number.POSITIVE_INFINITY);
  expect(new Concurrency().nextChange(0)).toBeUndefined();
});

test.each([0, 1.5, -3, Number.NaN])('refuses %d places', most => {
  expect(() => new Concurrency(most)).toThrow(`concurrency is ${most}; a whole number from 1 is accepted`);
});
