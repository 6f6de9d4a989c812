import type { RunFamily, RunSeries, RunSlice } from '@org/analysis';
import { MAX_BINS, MAX_SLICES } from './runAxes.ts';
import { getTraceKind, RunTraces } from './runTraces.ts';
import { formatLabels } from './sampleHistory.ts';
import type { Axis } from './timeAxis.ts';
import { createTrace, LevelTrace, ObservationTrace, RateTrace, type Trace } from './trace.ts';

/** Creates traces from the timeslices of the JSON export, with at most one bin per timeslice. */
export function convertSlices(families: readonly RunFamily[]): RunTraces | undefined {
  const range = findSliceRange(families);
  if (!range) return undefined;
  const { startNs, endNs, first } = range;
  const sliceWidth = Number(first.end_ns - first.start_ns) / 1e9;
  if (!(sliceWidth > 0)) return undefined;
  const count = Math.max(1, Math.ceil(Number(endNs - startNs) / 1e9 / sliceWidth - 1e-6));
  const [axis, sliceAxis] = [
    widenBins(count, sliceWidth, MAX_BINS),
    widenBins(count, sliceWidth, MAX_SLICES),
  ];
  const traces = new RunTraces('timeslices', startNs, axis, sliceAxis);
  for (const family of families) {
    const kind = getTraceKind(family)!;
    for (const series of family.series) {
      const labels = formatLabels(Object.entries(series.labels));
      const { trace, slices } = traces.getOrCreate(family.name, series.endpoint, labels, () => ({
        trace: createTrace(kind, axis),
        ...(kind === 'observations' && { slices: new ObservationTrace(sliceAxis, {}, true) }),
      }));
      addSlices(trace, series, startNs);
      if (slices) addSlices(slices, series, startNs);
    }
  }
  return traces;
}

/** The times of the timeslices of a run, and its first timeslice. */
interface SliceRange {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly first: RunSlice;
}

/** Finds the times of all timeslices, one series at a time. Returns undefined without timeslices. */
function findSliceRange(families: readonly RunFamily[]): SliceRange | undefined {
  let range: { startNs: bigint; endNs: bigint; readonly first: RunSlice } | undefined;
  for (const { series } of families)
    for (const { slices } of series)
      for (const slice of slices) {
        range ??= { startNs: slice.start_ns, endNs: slice.end_ns, first: slice };
        if (slice.start_ns < range.startNs) range.startNs = slice.start_ns;
        if (slice.end_ns > range.endNs) range.endNs = slice.end_ns;
      }
  return range;
}

/** Creates an axis whose bins contain whole timeslices. */
function widenBins(count: number, width: number, most: number): Axis {
  const perBin = Math.ceil(count / most);
  return { bins: Math.ceil(count / perBin), width: perBin * width };
}

function addSlices(trace: Trace, { slices }: RunSeries, startNs: bigint): void {
  for (const { start_ns, end_ns, avg, total, count, count_rate, sum = 0, buckets } of slices) {
    const from = Number(start_ns - startNs) / 1e9;
    const to = Number(end_ns - startNs) / 1e9;
    if (trace instanceof LevelTrace && avg !== undefined) trace.add({ seconds: (from + to) / 2, value: avg });
    else if (trace instanceof RateTrace && total !== undefined) trace.addIncrease(from, to, total);
    else if (trace instanceof ObservationTrace && count !== undefined) {
      // Scaled to the observations without sampling artefacts.
      const scale = count_rate !== undefined && count > 0 ? (count_rate * (to - from)) / count : 1;
      const histogram = {
        seconds: to,
        count: scale * count,
        sum: scale * sum,
        buckets: new Map(Object.entries(buckets ?? {}).map(([le, value]) => [le, scale * value])),
      };
      trace.addIncrease(from, histogram, { count: 0, sum: 0, buckets: new Map() });
    }
  }
}
