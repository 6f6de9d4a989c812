import { concatenate } from '../period/resets.ts';
import type { SeriesHistory } from '../period/seriesHistory.ts';
import type { Period } from '../period/window.ts';
import type { EndpointStore } from '../store/endpointStore.ts';
import type { ScalarSamples } from '../store/samples.ts';
import { lowerBound } from '../store/timeline.ts';

/**
 * Lists the times of the scrapes without a series that was created in the period: from the last scrape before the
 * period to the last scrape without the series. The series was 0 at these times. Empty for other series.
 */
export function listAbsentTimes(
  store: EndpointStore,
  { startNs, isSlicedBySeries }: Period,
  { absentNs }: SeriesHistory = {},
): Float64Array {
  if (absentNs === undefined || isSlicedBySeries) return new Float64Array(0);
  const { offsetsNs } = store.timeline();
  const baseline = Math.max(0, lowerBound(offsetsNs, startNs) - 1);
  return concatenate(
    offsetsNs.subarray(baseline, lowerBound(offsetsNs, absentNs)),
    Float64Array.of(absentNs),
  );
}

/** Adds samples of 0 at times without the series. */
export function prependZeros(samples: ScalarSamples, absentTimesNs: Float64Array): ScalarSamples {
  if (absentTimesNs.length === 0) return samples;
  const { timesNs, values } = samples;
  return {
    timesNs: concatenate(absentTimesNs, timesNs),
    values: concatenate(new Float64Array(absentTimesNs.length), values),
  };
}
