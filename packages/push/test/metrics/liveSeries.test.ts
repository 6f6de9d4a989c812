import { expect, test } from 'vitest';
import type { Family } from '../../src/metrics/batch.ts';
import { METRICS } from '../../src/metrics/definition.ts';
import { LiveSeries } from '../../src/metrics/liveSeries.ts';
import { HISTOGRAM_FAMILY } from '../support/batches.ts';

/** Creates a gauge with a value for each endpoint. */
function createFamily(values: Readonly<Record<string, number>>): Family {
  const points = Object.entries(values).map(([endpoint, value]) => ({ labels: { endpoint }, value }));
  return { definition: METRICS.endpointRunning, points };
}

test('series that a reading lacks have ended, with their last values', () => {
  const series = new LiveSeries();
  expect(series.update([createFamily({ a: 1, b: 2 })])).toEqual([]);
  expect(series.update([createFamily({ a: 3, b: 4 })])).toEqual([]);
  expect(series.update([createFamily({ a: 5 })])).toEqual([createFamily({ b: 4 })]);
  expect(series.update([createFamily({ a: 6 })])).toEqual([]);
});

test('a series can start again', () => {
  const series = new LiveSeries();
  series.update([createFamily({ a: 1 })]);
  expect(series.update([])).toEqual([createFamily({ a: 1 })]);
  expect(series.update([createFamily({ a: 2 })])).toEqual([]);
  expect(series.end()).toEqual([createFamily({ a: 2 })]);
});

test('all series end once, at the end', () => {
  const series = new LiveSeries();
  series.update([createFamily({ a: 1, b: 2 }), HISTOGRAM_FAMILY]);
  expect(series.end()).toEqual([createFamily({ a: 1, b: 2 }), HISTOGRAM_FAMILY]);
  expect(series.end()).toEqual([]);
});
