import { expect, test } from 'vitest';
import { computeTickFigures } from '../../src/scrape/ticks.ts';

test('counts all ticks of a punctual scraper as met', () => {
  expect(computeTickFigures([[0, 100, 200, 300]], 100)).toEqual({
    scrapes: 4,
    ticks: 4,
    met: 4,
    p50LatenessMs: 0,
    p99LatenessMs: 0,
    maxLatenessMs: 0,
  });
});

test('measures lateness relative to the most punctual request', () => {
  // Relative to the request at 102 ms, the other requests are 5, 3 and 0 ms late.
  const { ticks, met, maxLatenessMs, p50LatenessMs } = computeTickFigures([[7, 102, 205, 302]], 100);
  expect([ticks, met]).toEqual([4, 4]);
  expect(maxLatenessMs).toBeCloseTo(5, 9);
  expect(p50LatenessMs).toBeCloseTo(3, 9);
});

test.each([
  ['a skipped scrape', [0, 100, 300, 400], 5, 4],
  ['two requests in one interval', [0, 100, 130, 300], 4, 3],
  ['a request that is late by more than an interval', [0, 100, 305, 405], 5, 4],
])('counts all ticks and the met ticks with %s', (_, times, ticks, met) => {
  expect(computeTickFigures([times], 100)).toMatchObject({ scrapes: 4, ticks, met });
});

test('adds up all endpoints with separate grids, and skips endpoints without requests', () => {
  const figures = computeTickFigures([[0, 100], [], [33, 133, 233]], 100);
  expect(figures).toMatchObject({ scrapes: 5, ticks: 5, met: 5, maxLatenessMs: 0 });
});

test('returns no ticks if there are no requests', () => {
  const { scrapes, ticks, met, p99LatenessMs } = computeTickFigures([], 100);
  expect([scrapes, ticks, met]).toEqual([0, 0, 0]);
  expect(p99LatenessMs).toBeNaN();
});
