import { describe, expect, test } from 'vitest';
import { UpdatePace } from '../../src/watch/updatePace.ts';

/** CPU time and active time of an update, in milliseconds. */
type Cost = readonly [cpuMs: number, activeMs: number];

/** Adds updates after a first one, which does not count, and returns the pace after each of them. */
function pace(...costs: readonly Cost[]): UpdatePace[] {
  return costs.map((_, last) => {
    const result = new UpdatePace();
    result.add({ cpuMs: 5000, activeMs: 50_000 });
    for (const [cpuMs, activeMs] of costs.slice(0, last + 1)) result.add({ cpuMs, activeMs });
    return result;
  });
}

const FREE: Cost = [400, 410];
const DELAYED: Cost = [400, 4000];

describe('the share of a CPU', () => {
  test.each<[title: string, costs: readonly Cost[], shares: readonly number[]]>([
    ['is a half if updates have a CPU at once', [FREE, FREE, FREE], [0.5, 0.5, 0.5]],
    ['is a half if several threads use more CPU time than the time', [[500, 400]], [0.5]],
    ['is a tenth if an update waits for a CPU', [FREE, DELAYED, FREE, FREE], [0.5, 0.1, 0.1, 0.1]],
    ['is a half again three updates later', [DELAYED, FREE, FREE, FREE], [0.1, 0.1, 0.1, 0.5]],
    ['is a tenth if updates wait for a fifth of the time', [[79, 100]], [0.1]],
    ['stays a half after a short delay', [FREE, FREE, [400, 550], FREE], [0.5, 0.5, 0.5, 0.5]],
    [
      'rises only above a higher limit than the one below which it fell',
      [
        [70, 100],
        [85, 100],
        [85, 100],
        [85, 100],
        [95, 100],
        [95, 100],
      ],
      [0.1, 0.1, 0.1, 0.1, 0.1, 0.5],
    ],
    ['is a half if nothing had to be computed', [[0, 0]], [0.5]],
  ])('%s', (_, costs, shares) => {
    expect(pace(...costs).map(({ maxShare }) => maxShare)).toEqual(shares);
  });

  test('is measured without the first update, which compiles the program', () => {
    const first = new UpdatePace();
    first.add({ cpuMs: 5000, activeMs: 50_000 });
    expect(first).toMatchObject({ isBusy: false, maxShare: 0.5, availability: 1, intervalMs: 1000 });
  });
});

describe('the time between updates', () => {
  test.each<[title: string, costs: readonly Cost[], intervals: readonly number[]]>([
    [
      'is a second for updates that are cheap',
      [
        [10, 10],
        [500, 500],
      ],
      [1000, 1000],
    ],
    [
      'grows with their cost',
      [
        [600, 600],
        [800, 800],
        [900, 900],
      ],
      [1000, 1200, 1600],
    ],
    [
      'is longer if the machine is busy',
      [
        [30, 300],
        [200, 2000],
        [400, 4000],
      ],
      [1000, 1000, 2000],
    ],
    [
      'does not follow a single update that is expensive',
      [
        [400, 400],
        [3000, 3000],
        [300, 300],
      ],
      [1000, 1000, 1000],
    ],
  ])('%s', (_, costs, intervals) => {
    expect(pace(...costs).map(({ intervalMs }) => intervalMs)).toEqual(intervals);
  });
});

test('an update without new data does not shorten the time between updates', () => {
  const [, result] = pace([800, 800], [800, 800]);
  result!.add({ cpuMs: 5, activeMs: 5 }, false);
  expect(result).toMatchObject({ intervalMs: 1600, isBusy: false });
});

test('updates before the first one that changes the page do not count', () => {
  const result = new UpdatePace();
  result.add({ cpuMs: 5, activeMs: 5 }, false);
  result.add({ cpuMs: 5000, activeMs: 50_000 });
  expect(result).toMatchObject({ intervalMs: 1000, isBusy: false });
});

test.each<[title: string, cost: Cost, sinceStartMs: number, sinceEndMs: number, expected: number]>([
  ['counts from the start of the last update', [300, 300], 300, 0, 700],
  ['is shorter if some of it is over', [300, 300], 800, 500, 200],
  ['is 0 if the update is due', [300, 300], 3000, 2700, 0],
  ['is at least half of the interval after an update that was delayed', [400, 9000], 9000, 0, 2000],
  ['counts this pause from the end of the update', [400, 9000], 10_500, 1500, 500],
])('the time until the next update %s', (_, cost, sinceStartMs, sinceEndMs, expected) => {
  expect(pace(cost, cost)[1]!.getWaitMs(sinceStartMs, sinceEndMs)).toBe(expected);
});

test('the first update is due at once', () => {
  expect(new UpdatePace().getWaitMs(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe(0);
});
