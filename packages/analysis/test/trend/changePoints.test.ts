import { describe, expect, it } from 'vitest';
import { findChanges } from '../../src/trend/changePoints.ts';
import { resolveTrendSettings, type TrendOptions } from '../../src/trend/settings.ts';
import { createNormal, createSeries } from './series.ts';

const find = (series: readonly (readonly number[])[], options: TrendOptions = {}) =>
  findChanges(series, resolveTrendSettings(options));
const listPositions = (values: readonly number[], options: TrendOptions = {}): number[] =>
  find([values], options).series[0]!.points.map(({ at }) => at);

describe('findChanges', () => {
  it.each<[string, readonly number[], readonly number[]]>([
    ['no change', createSeries(1, 40, () => 100), []],
    ['a step', createSeries(2, 40, i => (i < 25 ? 100 : 115)), [25]],
    ['a step up and down', createSeries(3, 60, i => (i >= 20 && i < 40 ? 115 : 100)), [20, 40]],
    ['a step in 12 values', createSeries(4, 12, i => (i < 6 ? 100 : 120)), [6]],
    ['one outlier', createSeries(5, 40, i => (i === 20 ? 200 : 100)), []],
    ['a step between constants', Array.from({ length: 20 }, (_, i) => (i < 9 ? 0 : 5)), [9]],
  ])('finds the positions in a series with %s', (_, values, expected) => {
    expect(listPositions(values)).toEqual(expected);
  });

  it('reports a drift instead of a staircase, with the ends of its line', () => {
    const [changes] = find([createSeries(6, 60, i => 100 + i)]).series;
    expect(changes!.points).toEqual([]);
    expect(changes!.drift!.from).toBeCloseTo(100, -1);
    expect(changes!.drift!.to).toBeCloseTo(159, -1);
  });

  it('reports no change of the mean if only the spread changes', () => {
    const normal = createNormal(7);
    const values = Array.from({ length: 60 }, (_, i) => normal(100, i < 30 ? 0.5 : 8));
    expect(listPositions(values)).toEqual([]);
  });

  it('ignores a certain change below the minimum change', () => {
    const normal = createNormal(8);
    const values = Array.from({ length: 60 }, (_, i) => normal(i < 30 ? 100 : 100.5, 0.05));
    expect(listPositions(values)).toEqual([]);
    expect(listPositions(values, { minChange: 0.001 })).toEqual([30]);
  });

  it('returns both means with intervals that contain the true levels, and the p-value', () => {
    const [changes] = find([createSeries(2, 40, i => (i < 25 ? 100 : 115))]).series;
    const [point] = changes!.points;
    expect(point).toMatchObject({ at: 25, p: 1 / 2000, before: { runs: 25 }, after: { runs: 15 } });
    expect(point!.before.low).toBeLessThan(100);
    expect(point!.before.high).toBeGreaterThan(100);
    expect(point!.after.low).toBeLessThan(115);
    expect(point!.after.high).toBeGreaterThan(115);
  });

  it('requires a smaller p-value the more series without a change there are', () => {
    const step = createSeries(9, 12, i => (i < 6 ? 100 : 106));
    const others = Array.from({ length: 40 }, (_, i) => createSeries(100 + i, 12, () => 100));
    expect(find([step]).level).toBe(0.05);
    expect(find([step, ...others]).level).toBeLessThan(0.01);
  });

  // Trends whose other metrics had changes of the mean if Welch's test was not corrected for the number of metrics.
  it.each<[string, number, readonly number[], number, (at: number) => number]>([
    ['series without a change, if others change', 12, [1019, 1024, 1025, 1036], 5, () => 2],
    ['series whose spread changes', 30, [1017, 1021, 1032, 1053], 0, at => (at < 15 ? 2 : 6)],
  ])('reports no change of the mean in %s', (_, length, seeds, changed, deviation) => {
    for (const seed of seeds) {
      const normal = createNormal(seed);
      const series = Array.from({ length: 15 }, (_, metric) =>
        Array.from({ length }, (_, at) =>
          metric < changed ? normal(at < length / 2 ? 100 : 120, 2) : normal(100, deviation(at)),
        ),
      );
      const found = find(series).series.map(result => [result!.points.length, result!.drift]);
      expect(found).toEqual(series.map((_, metric) => [metric < changed ? 1 : 0, undefined]));
    }
  });

  it('counts series with the same values once, and constant series not at all', () => {
    const values = createSeries(10, 20, () => 100);
    const found = find([values, values, new Array(20).fill(3)]);
    expect(found.tested).toBe(1);
    expect(found.series[2]).toBeUndefined();
  });

  it('returns the same result for the same series', () => {
    const series = [createSeries(11, 30, i => (i < 15 ? 100 : 103))];
    expect(find(series)).toEqual(find(series));
  });

  it('does not divide so that a side has fewer values than required', () => {
    const values = createSeries(12, 20, i => (i < 3 ? 200 : 100));
    for (const at of listPositions(values)) expect(at).toBeGreaterThanOrEqual(5);
    expect(listPositions(values, { minRuns: 3 })).toEqual([3]);
  });
});
