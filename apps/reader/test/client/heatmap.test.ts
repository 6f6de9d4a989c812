import { expect, test } from 'vitest';
import { describeBin } from '../../client/heatmap.ts';

const heatmap = {
  name: 'latency',
  meaning: '',
  unit: 'seconds',
  bounds: [0.5, 1, null],
  counts: [
    [2, 10, 0],
    [0, 0, 0],
    [1, 0, 3],
  ],
};

test.each([
  [0, '1 s: 12 observations, most in the bucket up to 1 s'],
  [1, '3 s: no observations'],
  [2, '5 s: 4 observations, most in the bucket up to +Inf'],
])('describes bin %d', (index, expected) => {
  expect(describeBin(heatmap, { seconds: [1, 3, 5] }, index)).toBe(expected);
});
