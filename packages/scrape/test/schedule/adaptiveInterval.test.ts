import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AdaptiveInterval } from '../../src/schedule/adaptiveInterval.ts';

test.each<[string, number, number[], number, number]>([
  ['stays while scrapes are not longer', 100, [1, 99, 100], 100, 0],
  ['doubles after a longer scrape', 100, [101], 200, 1],
  ['doubles until scrapes fit', 100, [700, 700, 700, 700], 800, 3],
  ['does not grow beyond 10 s', 333, [60_000, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000], 5328, 4],
  ['does not grow if it is already longer', 30_000, [60_000], 30_000, 0],
  ['stays until four consecutive scrapes are quick', 100, [250, 250, 1, 1, 1], 400, 2],
  ['returns to the base after four quick scrapes', 100, [900, 900, 900, 1, 1, 1, 1], 100, 3],
  [
    'is reduced only to an interval that fits the slowest of four scrapes',
    100,
    [900, 900, 900, 1, 70, 1, 1],
    200,
    3,
  ],
  ['is reduced further after quicker scrapes', 100, [900, 900, 900, 1, 70, 1, 1, 1, 1, 1, 1], 100, 3],
  ['stays if scrapes are barely quick enough', 100, [150, 60, 60, 60, 60, 60], 200, 1],
  ['stays if the quick scrapes are not consecutive', 100, [150, 1, 1, 1, 60, 1, 1, 1], 200, 1],
])('the interval %s', (_name, baseMs, durations, intervalMs, increases) => {
  const interval = new AdaptiveInterval(baseMs);
  for (const duration of durations) interval.recordDuration(duration);
  expect(interval).toMatchObject({ intervalMs, increases });
});

test('counts the due ticks of any range', () => {
  fc.assert(
    fc.property(fc.nat({ max: 4 }), fc.nat({ max: 100 }), fc.nat({ max: 50 }), (steps, first, length) => {
      const interval = new AdaptiveInterval(10);
      for (let step = 0; step < steps; step++) interval.recordDuration(1000);
      const ticks = Array.from({ length }, (_, at) => first + at);
      const due = ticks.filter(tick => tick % 2 ** steps === 0).length;
      expect(interval.countDue(first, first + length - 1)).toBe(due);
    }),
  );
});
