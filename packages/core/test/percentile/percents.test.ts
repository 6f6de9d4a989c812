import { describe, expect, it } from 'vitest';
import { interpolatePercentile, mapPercents, PERCENTS } from '../../src/percentile/percents.ts';

describe('interpolatePercentile', () => {
  it.each([
    [50, [3], 3],
    [50, [1, 2], 1.5],
    [25, [1, 2, 3, 4, 5], 2],
    [90, [0, 10], 9],
    [99, [1, 2, 3], 2.98],
  ])('p%d of %j is %d', (percent, values, expected) => {
    expect(interpolatePercentile(percent, values.length, index => values[index]!)).toBeCloseTo(expected, 12);
  });
});

describe('mapPercents', () => {
  it('returns all percentiles in ascending order', () => {
    const percentiles = mapPercents(percent => percent);
    expect(Object.keys(percentiles)).toEqual(PERCENTS.map(percent => `p${percent}`));
    expect(Object.values(percentiles)).toEqual([...PERCENTS]);
  });
});
