import { expect, test } from 'vitest';
import { estimateFromRuns } from '../../src/compare/noise/estimate.ts';
import { findChanges } from '../../src/trend/changePoints.ts';
import {
  estimateCommonCorrelation,
  estimateRunCorrelation,
  widenEstimate,
} from '../../src/trend/runCorrelation.ts';
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

test.each([
  ['independent runs', createSeries(11, 200, () => 100), [], 0, 0],
  ['a step between independent runs', createSeries(12, 200, i => (i < 90 ? 100 : 120)), [90], 0, 0],
  ['correlated runs', createCorrelated(13, 400, 0.5), [], 0.4, 0.6],
  ['constants', [1, 1, 1, 1, 1, 1], [], 0, 0],
  ['too few runs for a significant correlation', createCorrelated(14, 8, 0.3), [], 0, 0],
])('estimates the correlation of %s', (_, values, starts, from, to) => {
  const correlation = estimateRunCorrelation({ values, starts });
  expect(correlation).toBeGreaterThanOrEqual(from);
  expect(correlation).toBeLessThanOrEqual(to);
});

test('finds a weak correlation that many metrics have in common, also if some of them change', () => {
  const correlated = Array.from({ length: 12 }, (_, i) => createCorrelated(200 + i, 40, 0.4));
  const stepped = correlated.map((values, i) =>
    i < 4 ? values.map((value, at) => (at < 20 ? value : value + 50)) : values,
  );
  const toSegments = (series: readonly (readonly number[])[]) =>
    series.map(values => ({ values, starts: [] }));
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

test('correlated runs without a change rarely have a change point', () => {
  const settings = resolveTrendSettings();
  const found = Array.from(
    { length: 30 },
    (_, i) => findChanges([createCorrelated(100 + i, 60, 0.5)], settings).series[0]!.points.length,
  );
  expect(found.filter(count => count > 0).length).toBeLessThanOrEqual(3);
});
