import { expect, test } from 'vitest';
import { type AccuracyRun, computeFloor, toWindow } from '../../src/accuracy/accuracyRun.ts';

const run: AccuracyRun = {
  id: 'run',
  rate: 2,
  les: ['0.5', '1', '+Inf'],
  timestamps_ns: [100, 200, 350],
  sums: [1, 2, 4],
  counts: [1, 3, 5],
  bucket_counts: [
    [1, 1, 1],
    [1, 2, 3],
    [2, 4, 5],
  ],
  reference_index: 1,
  truth: {} as AccuracyRun['truth'],
};

test('starts the window at the reference scrape', () => {
  const window = toWindow(run);
  expect([...window.timesNs]).toEqual([0, 150]);
  expect([...window.sums]).toEqual([2, 4]);
  expect([...window.counts]).toEqual([3, 5]);
  expect(window.bounds).toEqual([
    { le: 0.5, text: '0.5' },
    { le: 1, text: '1' },
    { le: Number.POSITIVE_INFINITY, text: '+Inf' },
  ]);
  expect(window.cumulative.map(column => [...column])).toEqual([
    [1, 2],
    [2, 4],
    [3, 5],
  ]);
});

test('places scrapes without timestamps one unit apart', () => {
  const { timestamps_ns: _, ...untimed } = run;
  expect([...toWindow(untimed).timesNs]).toEqual([0, 1]);
});

test('the floor is a tenth of the smallest positive bound', () => {
  expect(computeFloor(run)).toBeCloseTo(0.05, 12);
  expect(computeFloor({ ...run, les: ['-1', '0', '2', '+Inf'] })).toBeCloseTo(0.2, 12);
});
