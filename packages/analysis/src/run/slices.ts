import { max, mean } from '../math.ts';
import type { Buckets, RunSlice, Stats } from './statistics.ts';

/** A timeslice as in the export. */
export interface ExportedSlice extends Omit<RunSlice, 'increase_rate'> {
  /** Increase across resets; an object for a histogram. Present only if there was a reset. */
  readonly increase?: number | SliceIncrease;
  readonly increase_rate?: number;
  /** True if the slice is in a gap between samples. */
  readonly is_gap?: boolean;
}

/** The observations of a histogram in a timeslice, across resets. */
interface SliceIncrease {
  readonly count: number;
  /** Absent if the histogram has no sums. */
  readonly sum?: number;
  readonly avg?: number;
  readonly buckets: Buckets;
}

/**
 * Returns the timeslices of a series for analysis: without slices in gaps, with the slices that `timeslices` does not
 * contain because of a reset, corrected for resets, and with rates without sampling artefacts. Returns the same array
 * if there is nothing to change.
 */
export function toRunSlices(
  slices: readonly ExportedSlice[] = [],
  resetSlices: readonly ExportedSlice[] = [],
): readonly RunSlice[] {
  const all = resetSlices.length === 0 ? slices : mergeByTime(slices, resetSlices);
  const isChanged = all.some(
    ({ is_gap, increase, increase_rate }) => is_gap || (increase ?? increase_rate) !== undefined,
  );
  if (!isChanged) return all as readonly RunSlice[];
  return all.filter(({ is_gap }) => !is_gap).map(toRunSlice);
}

function mergeByTime(a: readonly ExportedSlice[], b: readonly ExportedSlice[]): ExportedSlice[] {
  return [...a, ...b].sort((x, y) => (x.start_ns < y.start_ns ? -1 : 1));
}

function toRunSlice({ increase, increase_rate, is_gap, ...slice }: ExportedSlice): RunSlice {
  if (typeof increase === 'object')
    return { ...slice, ...(increase.sum !== undefined && { avg: 0 }), ...increase };
  const total = increase ?? slice.total;
  if (increase_rate === undefined) return total === undefined ? slice : { ...slice, total };
  const seconds = Number(slice.end_ns - slice.start_ns) / 1e9;
  return { ...slice, rate: increase_rate, total: increase_rate * seconds };
}

/**
 * Returns the statistics of a counter with `rate_*` computed from its slices. The exported statistics follow AIPerf
 * and are computed from slices with sampling artefacts.
 */
export function correctRateStatistics(stats: Stats, slices: readonly RunSlice[]): Stats {
  if (stats.rate_avg === undefined) return stats;
  const rates = slices.flatMap(({ rate, is_complete }) =>
    rate === undefined || is_complete === false ? [] : rate,
  );
  if (rates.length === 0) return stats;
  const average = mean(rates);
  const squares = rates.map(rate => (rate - average) ** 2);
  return {
    ...stats,
    rate_avg: average,
    rate_min: -max(rates.map(rate => -rate)),
    rate_max: max(rates),
    rate_std: rates.length > 1 ? Math.sqrt((mean(squares) * rates.length) / (rates.length - 1)) : 0,
  };
}

/** Groups the slices of several series by their start, in order of time. Series can lack slices. */
export function groupSlicesByTime(slicesPerSeries: readonly (readonly RunSlice[])[]): RunSlice[][] {
  const byStart = new Map<bigint, RunSlice[]>();
  for (const slices of slicesPerSeries)
    for (const slice of slices) {
      const group = byStart.get(slice.start_ns);
      if (group) group.push(slice);
      else byStart.set(slice.start_ns, [slice]);
    }
  return [...byStart.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}
