import { describe, expect, it } from 'vitest';
import { findBucketEdges } from '../../../src/percentile/bucketEdges.ts';
import { extractIntervals } from '../../../src/percentile/intervals.ts';
import { closeFirstBucket } from '../../../src/percentile/moments/sample.ts';
import { createScrapedWindow } from '../support/scrapes.ts';

function findLowerEdge(les: string[], values: number[]): number {
  const window = createScrapedWindow(les, [values]);
  const edges = findBucketEdges(window);
  return closeFirstBucket(edges, extractIntervals(window, edges)).lower[0]!;
}

describe('closeFirstBucket', () => {
  it('does not change a first bucket that starts at 0', () => {
    expect(findLowerEdge(['1', '2', '+Inf'], [0.5, 1.5])).toBe(0);
  });

  it('sets a lower edge below the mean that the sum implies for the first bucket', () => {
    expect(findLowerEdge(['-1', '1', '+Inf'], [-30, -20, 0, 0.5])).toBeLessThan(-30);
    expect(findLowerEdge(['-1', '1', '+Inf'], [0, 0.5])).toBeLessThan(-1);
  });
});
