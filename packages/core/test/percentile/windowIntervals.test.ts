import { describe, expect, it } from 'vitest';
import type { HistogramWindow } from '../../src/percentile/estimator.ts';
import { splitWindow } from '../../src/percentile/windowIntervals.ts';

function createWindow(sums: number[]): HistogramWindow {
  return {
    timesNs: Float64Array.of(0, 1, 2),
    sums: Float64Array.from(sums),
    counts: Float64Array.of(0, 2, 3),
    bounds: [
      { le: 1, text: '1.0' },
      { le: Infinity, text: '+Inf' },
    ],
    cumulative: [Float64Array.of(0, 1, 2), Float64Array.of(0, 2, 3)],
  };
}

describe('splitWindow', () => {
  it.each([
    ['is consistent if the sums are possible', [0, 4, 4.5], true],
    ['is inconsistent if the first sum is too small for an observation above 1', [0, 0.5, 4.5], false],
  ])('%s', (_name, sums, isConsistent) => {
    const { intervals, edges, isConsistent: actual } = splitWindow(createWindow(sums));
    expect(actual).toBe(isConsistent);
    expect([...edges.upper]).toEqual([1, Infinity]);
    expect([...intervals.size]).toEqual([2, 1]);
    expect([...intervals.sum]).toEqual([sums[1], sums[2]! - sums[1]!]);
  });

  it('is computed once per window', () => {
    const window = createWindow([0, 4, 4.5]);
    expect(splitWindow(window)).toBe(splitWindow(window));
    expect(splitWindow(createWindow([0, 4, 4.5]))).not.toBe(splitWindow(window));
  });
});
