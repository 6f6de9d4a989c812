import { expect, test } from 'vitest';
import { BinValues } from '../../../src/report/timeline/binValues.ts';

test('lists the values of each bin in ascending order, also after others are added', () => {
  const values = new BinValues({ bins: 3, width: 2 });
  for (const [seconds, value] of [
    [0, 5],
    [1.9, -1],
    [2, 7],
    [-1, 9],
    [6.1, 9],
  ] as const)
    values.add(seconds, value);
  expect(values.list().map(bin => [...bin])).toEqual([[-1, 5], [7], []]);
  values.add(0.5, 2);
  values.add(6, 100);
  values.add(5, 20);
  expect(values.list().map(bin => [...bin])).toEqual([[-1, 2, 5], [7], [20, 100]]);
});

test('lists the bins that a growing axis has', () => {
  const axis = { bins: 1, width: 1, capacity: 4 };
  const values = new BinValues(axis);
  values.add(0.5, 1);
  values.add(2.5, 3);
  expect(values.list().map(bin => [...bin])).toEqual([[1]]);
  axis.bins = 3;
  expect(values.list().map(bin => [...bin])).toEqual([[1], [], [3]]);
});
