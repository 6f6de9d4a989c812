import { describe, expect, test } from 'vitest';
import { Counter, Histogram, Summary } from '../../src/metrics/series.ts';
import { Observations } from '../../src/truth.ts';

test('a counter cannot decrease', () => {
  const counter = new Counter([], 0);
  counter.inc();
  counter.inc(2.5);
  expect(counter.value).toBe(3.5);
  expect(() => counter.inc(-1)).toThrow('grow by -1');
});

describe('a histogram counts a value in the first bucket whose bound is at least the value', () => {
  test.each([
    [-1, 0],
    [1, 0],
    [1.0001, 1],
    [2, 1],
    [5, 2],
    [5.1, 3],
    [Number.POSITIVE_INFINITY, 3],
  ])('%d in bucket %d', (value, bucket) => {
    const histogram = new Histogram([], Float64Array.of(1, 2, 5), 0);
    histogram.observe(value);
    expect([...histogram.counts].indexOf(1)).toBe(bucket);
    expect(histogram.count).toBe(1);
    expect(histogram.sum).toBe(value);
  });
});

test('a histogram adds all observations to the truth', () => {
  const truth = new Observations('latency', []);
  const histogram = new Histogram([], Float64Array.of(1), 0, truth);
  for (const value of [0.5, 3, 0.25]) histogram.observe(value);
  expect([...truth.copyRange(0)]).toEqual([0.5, 3, 0.25]);
});

test('a summary has the quantiles of the last 1000 observations', () => {
  const summary = new Summary([], 0);
  expect(summary.computeQuantile(0.5)).toBeNaN();
  for (let i = 0; i < 5000; i++) summary.observe(1e6);
  for (let i = 1; i <= 1000; i++) summary.observe(i);
  // The quantile q of n observations is the observation at index floor(q * n), in ascending order.
  expect(summary.computeQuantile(0.5)).toBe(501);
  expect(summary.computeQuantile(0.99)).toBe(991);
  expect(summary.count).toBe(6000);
});
