import {
  cutFixedSlices,
  cutIntervalSlices,
  type Slices,
  shouldSlicePerInterval,
} from '../period/timeslices.ts';
import { type Period, summarizeWindow, type Window } from '../period/window.ts';
import type { EndpointStore } from '../store/endpointStore.ts';

/** A period and its timeslices. */
export interface SliceOptions {
  /** The period of the endpoint, from `resolveEndpointPeriod`; both ends are included. */
  readonly period: Period;
  /** Length of a timeslice in ns. If absent, there are no timeslices and no `rate_*` fields. */
  readonly sliceNs?: number;
  /**
   * Minimum length of a partial last timeslice in ns (default 0). A shorter remainder is added to the slice
   * before it. If it is set to the scrape interval, the few ms before the closing scrape do not become a
   * separate slice.
   */
  readonly minPartialNs?: number;
}

/** Cuts the period of a series with samples at `timesNs` into timeslices; null if there are none. */
export function cutSlices(
  store: EndpointStore,
  window: Window<{ readonly timesNs: Float64Array }>,
  timesNs: Float64Array,
  { period, sliceNs, minPartialNs }: SliceOptions,
): Slices | null {
  if (sliceNs === undefined) return null;
  if (period.isSlicedBySeries) return cutFixedSlices(toSeriesPeriod(window), sliceNs);
  if (shouldSlicePerInterval(store, period, sliceNs)) return cutIntervalSlices(period, timesNs);
  return cutFixedSlices(period, sliceNs, minPartialNs);
}

/** Returns the time from the first to the last sample of a series in the period. For a single sample, it is 1 ns long. */
function toSeriesPeriod(window: Window<{ readonly timesNs: Float64Array }>): Period {
  const { firstNs, lastNs } = summarizeWindow(window);
  return { startNs: firstNs, endNs: Math.max(lastNs, firstNs + 1) };
}
