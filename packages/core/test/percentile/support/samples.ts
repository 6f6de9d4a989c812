import { findBucketEdges } from '../../../src/percentile/bucketEdges.ts';
import type { HistogramWindow } from '../../../src/percentile/estimator.ts';
import { extractIntervals } from '../../../src/percentile/intervals.ts';
import { createSample, type Sample } from '../../../src/percentile/moments/sample.ts';
import { computeSumTolerance } from '../../../src/percentile/sumConsistency.ts';

/** Creates one sample from all intervals of a window. */
export function createWindowSample(window: HistogramWindow): Sample {
  const edges = findBucketEdges(window);
  const intervals = extractIntervals(window, edges);
  return createSample(intervals, { from: 0, to: intervals.rows }, edges, computeSumTolerance(window));
}
