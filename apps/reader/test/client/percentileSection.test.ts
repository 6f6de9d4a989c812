import { expect, test } from 'vitest';
import { describePercent, formatEstimate } from '../../client/percentileSection.ts';

const chart = {
  unit: 'seconds',
  percents: [50, 99],
  series: [
    { name: 'a:1', values: [1.25, 4], low: [1, 2], high: [2, null] },
    { name: 'b:1', values: [0.5, null], low: [null, null], high: [null, null] },
  ],
};

test.each([
  [0, 0, '1.25 s (1 s to 2 s)'],
  [0, 1, '4 s'],
  [1, 0, '500 ms'],
  [1, 1, 'no data'],
])('formats the estimate of series %d at index %d', (series, index, expected) => {
  expect(formatEstimate(chart, series, index)).toBe(expected);
});

test('describes a percentile of all series', () => {
  expect(describePercent(chart, 0)).toBe('p50: a:1 1.25 s (1 s to 2 s), b:1 500 ms');
});
