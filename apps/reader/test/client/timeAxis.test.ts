import { expect, test } from 'vitest';
import { formatTime } from '../../client/timeAxis.ts';

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
