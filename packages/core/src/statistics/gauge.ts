import type { PercentileEstimates } from '../percentile/estimator.ts';
import { sortedPercentiles } from '../percentile/sortedPercentiles.ts';
import { mapSlices, type Slice, type Slices } from '../period/timeslices.ts';
import type { ScalarSamples } from '../store/samples.ts';
import { lowerBound, upperBound } from '../store/timeline.ts';
import { extremes, mean, standardDeviation } from './descriptive.ts';

/**
 * What a gauge or an unknown did in a period. Seed 001, "Gauge Stats Fields": every sample weighs the same, `std` has
 * ddof 1 and is 0 for one sample, percentiles are exact. A constant gauge is that constant in every field.
 */
export interface GaugeStatistics extends PercentileEstimates {
  readonly avg: number;
  readonly min: number;
  readonly max: number;
  readonly std: number;
}

/** What a gauge did in one timeslice. */
export interface GaugeSlice extends Slice {
  readonly avg: number;
  readonly min: number;
  readonly max: number;
}

/** The statistics of at least one value. */
export function gaugeStatistics(values: Float64Array): GaugeStatistics {
  const sorted = values.slice().sort();
  return {
    avg: mean(values),
    min: sorted[0]!,
    max: sorted.at(-1)!,
    std: standardDeviation(values),
    ...sortedPercentiles(sorted),
  };
}

/**
 * The slices in which the gauge has samples. A sample on an edge belongs to the slice that begins there, and to the
 * last one when it ends the period; when the slices are the intervals between samples, to the one that it ends.
 */
export function gaugeSlices({ timesNs, values }: ScalarSamples, slices: Slices): GaugeSlice[] {
  const last = slices.edgesNs.length - 2;
  return mapSlices<GaugeSlice>(slices, (startNs, endNs, index) => {
    const closed = slices.perInterval || index === last;
    const open = slices.perInterval && index > 0;
    const from = (open ? upperBound : lowerBound)(timesNs, startNs);
    const to = (closed ? upperBound : lowerBound)(timesNs, index === last ? slices.lastSampleNs : endNs);
    if (from === to) return null;
    const { min, max } = extremes(values, from, to);
    return { startNs, endNs, avg: mean(values, from, to), min, max };
  });
}
