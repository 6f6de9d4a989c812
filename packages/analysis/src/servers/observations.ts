import { sum } from '../math.ts';
import { toPeriodStats } from '../run/increase.ts';
import { type RunSeries, selectCompleteSlices } from '../run/series.ts';
import { groupSlicesByTime } from '../run/slices.ts';

/** The observations of histograms: their number and their mean, in the unit of the server. */
export interface Observations {
  readonly count: number;
  readonly mean: number;
  readonly unit: string | null;
}

/** The observations of histograms in one timeslice. */
export interface SliceObservations {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly count: number;
  readonly mean: number;
}

/** Combines the observations of histograms; undefined if there are none, or if a sum is missing. */
export function readObservations(series: readonly RunSeries[]): Observations | undefined {
  const observed = series.map(({ stats }) => toPeriodStats(stats)).filter(({ count = 0 }) => count > 0);
  if (observed.length === 0 || observed.some(stats => stats.sum === undefined)) return undefined;
  const count = sum(observed.map(stats => stats.count!));
  return { count, mean: sum(observed.map(stats => stats.sum!)) / count, unit: series[0]!.unit };
}

/** Combines the observations of histograms in each complete slice, in order of time. Slices without any are left out. */
export function readSliceObservations(series: readonly RunSeries[]): SliceObservations[] {
  return groupSlicesByTime(series.map(selectCompleteSlices)).flatMap(slices => {
    const count = sum(slices.map(slice => slice.count ?? 0));
    const total = sum(slices.map(slice => slice.sum ?? 0));
    const { start_ns: startNs, end_ns: endNs } = slices[0]!;
    return count > 0 ? [{ startNs, endNs, count, mean: total / count }] : [];
  });
}
