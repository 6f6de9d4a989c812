import { expect, test } from 'vitest';
import { QuantileSketch } from '../src/quantileSketch.ts';

test('percentiles are within 0.5% of the exact ones', () => {
  const sketch = new QuantileSketch();
  const values = Array.from({ length: 10_001 }, (_, i) => 0.001 * 1.002 ** i);
  for (const value of values) sketch.add(value);
  const { count, p50, p90, p95, p99 } = sketch.computeQuantiles()!;
  expect(count).toBe(10_001);
  for (const [percent, estimate] of [
    [50, p50],
    [90, p90],
    [95, p95],
    [99, p99],
  ] as const)
    expect(Math.abs(estimate / values[percent * 100]! - 1)).toBeLessThan(0.00501);
});

test('a merged set has the percentiles of all values', () => {
  const [all, low, high] = [new QuantileSketch(), new QuantileSketch(), new QuantileSketch()];
  for (let i = 0; i < 100; i++) {
    all.add(i);
    (i < 50 ? low : high).add(i);
  }
  low.merge(high);
  expect(low.computeQuantiles()).toEqual(all.computeQuantiles());
});

test.each([
  ['no values', [], undefined],
  ['zeros', [0, 0], { count: 2, p50: 0, p90: 0, p95: 0, p99: 0 }],
])('computes percentiles of %s', (_, values, expected) => {
  const sketch = new QuantileSketch();
  for (const value of values) sketch.add(value);
  expect(sketch.computeQuantiles()).toEqual(expected);
});
