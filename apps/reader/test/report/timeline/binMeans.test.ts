import { expect, test } from 'vitest';
import { BinMeans } from '../../../src/report/timeline/binMeans.ts';

test('averages the values in each bin, without outside or missing ones', () => {
  const means = new BinMeans({ width: 2, bins: 3 });
  for (const [seconds, value] of [
    [0, 1],
    [1.5, 3],
    [4, 5],
    [5, undefined],
    [-1, 100],
    [7, 100],
  ] as const)
    means.add(seconds, value);
  expect(means.values()).toEqual([2, null, 5]);
});
