import { bucketEdges } from '../../../src/percentile/bucketEdges.ts';
import type { HistogramWindow } from '../../../src/percentile/estimator.ts';
import { extractIntervals } from '../../../src/percentile/intervals.ts';
import { type Sample, sampleOf } from '../../../src/percentile/moments/sample.ts';
import { sumTolerance } from '../../../src/percentile/sumConsistency.ts';

/** A whole window as one sample. */
export function sampleFrom(window: HistogramWindow): Sample {
  const edges = bucketEdges(window);
  const intervals = extractIntervals(window, edges);
  return sampleOf(intervals, { from: 0, to: intervals.rows }, edges, sumTolerance(window));
}
