import { expect, test } from 'vitest';
import { estimateFromRuns } from '../../src/compare/noise/estimate.ts';
import { findChanges } from '../../src/trend/changePoints.ts';
import { estimateCommonCorrelation, widenEstimate } from '../../src/trend/runCorrelation.ts';
import { resolveTrendSettings } from '../../src/trend/settings.ts';
import { createNormal, createSeries } from './series.ts';

/** Creates an AR(1) series around 100, with a noise of 2. */
function createCorrelated(seed: number, length: number, correlation: number): number[] {
  const normal = createNormal(seed);
  let state = normal(0, 1);
  return Array.from({ length }, () => {
    state = correlation * state + Math.sqrt(1 - correlation ** 2) * normal(0, 1);
    return 100 + 2 * state;
  });
}

test('finds a weak correlation that many metrics have in common, also if some of them change', () => {
  const correlated = Array.from({ length: 12 }, (_, i) => createCorrelated(200 + i, 40, 0.4));
  const stepped = correlated.map((values, i) =>
    i < 4 ? values.map((value, at) => (at < 20 ? value : value + 50)) : values,
  );
  for (const series of [correlated, stepped]) {
    const common = estimateCommonCorrelation(series);
    expect(common).toBeGreaterThan(0.25);
    expect(common).toBeLessThan(0.6);
  }
  const independent = Array.from({ length: 12 }, (_, i) => createSeries(300 + i, 40, () => 100));
  expect(estimateCommonCorrelation(independent)).toBe(0);
  expect(estimateCommonCorrelation(correlated.slice(0, 2))).toBe(0);
});

test('a correlation of 0.5 makes three runs count as one', () => {
  const estimate = estimateFromRuns([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(widenEstimate(estimate, 0)).toBe(estimate);
  const widened = widenEstimate(estimate, 0.5);
  expect([widened.independent, widened.degrees, widened.mean]).toEqual([3, 2, 5]);
  expect(widened.error).toBeCloseTo(estimate.error * Math.sqrt(3), 10);
});

test('metrics of correlated runs without a change rarely have a change point', () => {
  const settings = resolveTrendSettings();
  const found = Array.from({ length: 10 }, (_, trend) => {
    const series = Array.from({ length: 6 }, (_, i) => createCorrelated(1000 + 10 * trend + i, 60, 0.5));
    return findChanges(series, settings).series.some(result => result!.points.length > 0);
  });
  expect(found.filter(Boolean).length).toBeLessThanOrEqual(1);
});

test('constants have no correlation', () => {
  const constants = Array.from({ length: 4 }, () => new Array<number>(20).fill(3));
  expect(estimateCommonCorrelation(constants)).toBe(0);
});
