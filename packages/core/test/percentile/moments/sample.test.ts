import { describe, expect, it } from 'vitest';
import { findBucketEdges } from '../../../src/percentile/bucketEdges.ts';
import { extractIntervals } from '../../../src/percentile/intervals.ts';
import { closeFirstBucket } from '../../../src/percentile/moments/sample.ts';
import { createScrapedWindow } from '../support/scrapes.ts';

function findStart(les: string[], values: number[]): number {
  const window = createScrapedWindow(les, [values]);
  const edges = findBucketEdges(window);
  return closeFirstBucket(edges, extractIntervals(window, edges)).lower[0]!;
}

describe('closeFirstBucket', () => {
  it('does not change a first bucket that starts at 0', () => {
    expect(findStart(['1', '2', '+Inf'], [0.5, 1.5])).toBe(0);
  });

  it('ends below the mean of the first bucket that follows from the sum', () => {
    expect(findStart(['-1', '1', '+Inf'], [-30, -20, 0, 0.5])).toBeLessThan(-30);
    expect(findStart(['-1', '1', '+Inf'], [0, 0.5])).toBeLessThan(-1);
  });
});
