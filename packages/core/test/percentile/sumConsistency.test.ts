import { describe, expect, it } from 'vitest';
import { findBucketEdges } from '../../src/percentile/bucketEdges.ts';
import { extractIntervals } from '../../src/percentile/intervals.ts';
import {
  computeSumRange,
  computeSumTolerance,
  countInconsistentSums,
  makeSumsConsistent,
} from '../../src/percentile/sumConsistency.ts';
import { FAMILIES, simulate } from './support/simulation.ts';
import { createWindow } from './support/windows.ts';

const les = ['1', '2', '+Inf'];

/** Creates intervals with one observation each in the middle bucket. `sums` contains the sum of each scrape. */
function createIntervals(sums: number[]) {
  const counts = sums.map((_, row) => row);
  const window = createWindow({ les, sums, counts, bucket_counts: counts.map(count => [0, count, count]) });
  const edges = findBucketEdges(window);
  const intervals = extractIntervals(window, edges);
  return {
    intervals,
    range: computeSumRange(intervals, edges),
    edges,
    tolerance: computeSumTolerance(window),
  };
}

describe('makeSumsConsistent', () => {
  it.each<[string, number[], number, number[]]>([
    ['keeps consistent sums', [0, 1.5, 3, 4.5], 0, [1.5, 1.5, 1.5]],
    ['joins a delayed sum with the next interval', [0, 1.5, 1.5, 4.5, 6], 2, [1.5, 3, 1.5]],
    ['joins an early sum with the next interval', [0, 1.5, 4.5, 4.5, 6], 2, [1.5, 3, 1.5]],
    ['clamps a sum that cannot be joined', [0, 9], 1, [2]],
  ])('%s', (_, scrapedSums, inconsistent, sums) => {
    const { intervals, range, edges, tolerance } = createIntervals(scrapedSums);
    expect(countInconsistentSums(intervals, range, tolerance)).toBe(inconsistent);
    expect([...makeSumsConsistent(intervals, range, edges, tolerance).sum]).toEqual(sums);
  });

  it('preserves counts and sum of a run with delayed sums', () => {
    const { window } = simulate(FAMILIES.weibull!, les, 90, 2, 4);
    const sums = window.sums.map((sum, row) => (row % 7 === 3 ? window.sums[row - 1]! : sum));
    const edges = findBucketEdges(window);
    const scraped = extractIntervals({ ...window, sums }, edges);
    const range = computeSumRange(scraped, edges);
    const joined = makeSumsConsistent(scraped, range, edges, 1e-9);
    const computeTotal = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
    expect(countInconsistentSums(scraped, range, 1e-9)).toBeGreaterThan(5);
    expect(countInconsistentSums(joined, computeSumRange(joined, edges), 1e-9)).toBe(0);
    expect(computeTotal(joined.size)).toBe(computeTotal(scraped.size));
    expect(computeTotal(joined.sum)).toBeCloseTo(computeTotal(scraped.sum), 9);
  });
});
