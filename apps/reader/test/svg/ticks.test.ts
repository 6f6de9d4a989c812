import { expect, test } from 'vitest';
import { formatTime, listLogTicks, listTicks, listTimeTicks } from '../../src/svg/ticks.ts';

test.each([
  [0, '0 s'],
  [-0.004, '0 s'],
  [-0.25, '-0.25 s'],
  [9.876, '9.88 s'],
  [12.54, '12.5 s'],
  [60, '1:00'],
  [185.4, '3:05'],
  [-61, '-1:01'],
  [3723, '1:02:03'],
])('formats %d s as %s', (seconds, expected) => {
  expect(formatTime(seconds)).toBe(expected);
});

test.each([
  [0, 10, 5, [0, 2, 4, 6, 8, 10]],
  [0, 1, 3, [0, 0.5, 1]],
  [0, 1187, 4, [0, 500, 1000]],
  [0, 0.3, 3, [0, 0.1, 0.2, 0.3]],
])('ticks from %d to %d, about %d of them, are round', (from, to, count, expected) => {
  expect(listTicks(from, to, count)).toEqual(expected);
});

test.each([
  [0, 60, 6, [0, 10, 20, 30, 40, 50, 60]],
  [0, 600, 5, [0, 120, 240, 360, 480, 600]],
  [50, 100, 4, [60, 75, 90]],
  [0, 90_000, 4, [0, 43_200, 86_400]],
])(
  'time ticks from %d to %d s, about %d of them, are whole minutes or hours',
  (from, to, count, expected) => {
    expect(listTimeTicks(from, to, count)).toEqual(expected);
  },
);

test.each([
  [1, 100, 8, [1, 2, 5, 10, 20, 50, 100]],
  [1, 100, 3, [1, 10, 100]],
  [0.5, 30, 4, [1, 10]],
])('logarithmic ticks from %d to %d, at most %d of them', (from, to, count, expected) => {
  expect(listLogTicks(from, to, count)).toEqual(expected);
});
