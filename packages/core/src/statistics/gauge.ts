import type { PercentileEstimates } from '../percentile/estimator.ts';
import { computeSortedPercentiles } from '../percentile/sortedPercentiles.ts';
import { mapSlices, type Slice, type Slices } from '../period/timeslices.ts';
import type { ScalarSamples } from '../store/samples.ts';
import { lowerBound, upperBound } from '../store/timeline.ts';
import { computeMean, computeStandardDeviation, findExtremes } from './descriptive.ts';

/**
 * Statistics of a gauge, or of a metric of unknown type, in a period, with the keys of the JSON export.
 * Samples have equal weight, `std` has ddof 1 and is 0 for a single sample, and percentiles are exact. If all
 * samples are equal, avg, min, max and percentiles are exactly this value.
 */
export interface GaugeStatistics extends PercentileEstimates {
  readonly avg: number;
  readonly min: number;
  readonly max: number;
  readonly std: number;
}

/** A gauge in one timeslice. */
export interface GaugeSlice extends Slice {
  readonly avg: number;
  readonly min: number;
  readonly max: number;
}

/** Computes the statistics of one or more values. */
export function computeGaugeStatistics(values: Float64Array): GaugeStatistics {
  const sorted = values.slice().sort();
  return {
    avg: computeMean(values),
    min: sorted[0]!,
    max: sorted.at(-1)!,
    std: computeStandardDeviation(values),
    ...computeSortedPercentiles(sorted),
  };
}

/**
 * Computes the statistics of each slice; slices without samples are omitted. A sample on an edge belongs to
 * the slice that starts there; at the end of the period, to the last slice. If slices are the intervals
 * between samples, a sample belongs to the slice that ends with it.
 */
export function computeGaugeSlices({ timesNs, values }: ScalarSamples, slices: Slices): GaugeSlice[] {
  const last = slices.edgesNs.length - 2;
  return mapSlices<GaugeSlice>(slices, (startNs, endNs, index) => {
    const includesEnd = slices.isPerInterval || index === last;
    const excludesStart = slices.isPerInterval && index > 0;
    const from = (excludesStart ? upperBound : lowerBound)(timesNs, startNs);
    const to = (includesEnd ? upperBound : lowerBound)(timesNs, index === last ? slices.lastSampleNs : endNs);
    if (from === to) return null;
    const { min, max } = findExtremes(values, from, to);
    return { startNs, endNs, avg: computeMean(values, from, to), min, max };
  });
}
