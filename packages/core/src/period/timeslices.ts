import { updateIntervalNs } from '../store/endpointInfo.ts';
import type { EndpointStore } from '../store/endpointStore.ts';
import type { Period } from './period.ts';

/** The part of the period that one timeslice speaks of. Seed 001, "Timeslice Normalization". */
export interface Slice {
  /** ns since the timeline's origin. */
  readonly startNs: number;
  readonly endNs: number;
  /** Only there, and false, when the period ended before the slice was full. */
  readonly is_complete?: false;
}

/** A cut of the period: slice i is from edge i to edge i + 1. */
export interface Slices {
  readonly edgesNs: Float64Array;
  readonly lastIsComplete: boolean;
  /** The last slice has the samples up to this time: its end, or, where a short rest was joined to it, that of the period. */
  readonly lastSampleNs: number;
  /** True when the edges are the times of samples, so that a sample belongs to the slice that it ends. */
  readonly perInterval: boolean;
}

/** Fixed slices beyond this many say no more than one per sample interval. */
const MOST_SLICES = 1_000_000;

/**
 * Whether slices of this length would be shorter than the endpoint's updates are apart, so that each sample
 * interval becomes its own slice instead (DESIGN decision 3; seed 001, "Fallback behavior"). Callers warn once.
 *
 * An endpoint that never changed has no update interval; it cannot be shorter than that of its scrapes.
 */
export function slicesPerInterval(store: EndpointStore, period: Period, sliceNs: number): boolean {
  const interval = updateIntervalNs(store) ?? 0;
  return sliceNs < interval || (period.endNs - period.startNs) / sliceNs > MOST_SLICES;
}

/**
 * Windows of `sliceNs` from the start of the period to its end; the last is partial when it does not fit. A slice
 * longer than the period gives one partial slice.
 *
 * A rest shorter than `shortestPartialNs` is no slice: its samples count as if they lay on the end of the complete slice
 * before it. The closing scrape comes some ms after the period; what was counted since the scrape before it, divided by
 * these ms, would be a rate that never was.
 */
export function fixedSlices(period: Period, sliceNs: number, shortestPartialNs = 0): Slices {
  const { startNs, endNs } = period;
  const full = Math.max(0, Math.floor((endNs - startNs) / sliceNs));
  const rest = endNs - (startNs + full * sliceNs);
  const lastIsComplete = full > 0 && (rest <= 0 || rest < shortestPartialNs);
  const count = lastIsComplete || endNs <= startNs ? full : full + 1;
  const edgesNs = new Float64Array(count + 1);
  for (let at = 0; at <= count; at++) edgesNs[at] = startNs + at * sliceNs;
  if (!lastIsComplete) edgesNs[count] = endNs;
  return { edgesNs, lastIsComplete, lastSampleNs: endNs, perInterval: false };
}

/** One slice per interval between samples; the first begins at the start of the period. All are complete. */
export function intervalSlices(period: Period, timesNs: Float64Array): Slices {
  const edges = [period.startNs];
  for (const time of timesNs) {
    if (time > edges.at(-1)! && time <= period.endNs) edges.push(time);
  }
  const edgesNs = Float64Array.from(edges);
  return { edgesNs, lastIsComplete: true, lastSampleNs: edges.at(-1)!, perInterval: true };
}

/**
 * What `make` says of each slice, in order, with a last one that is partial marked as such; slices of which it says nothing
 * (null) are left out.
 */
export function mapSlices<T extends Slice>(
  { edgesNs, lastIsComplete }: Slices,
  make: (startNs: number, endNs: number, index: number) => T | null,
): T[] {
  const made: T[] = [];
  const last = edgesNs.length - 2;
  for (let index = 0; index <= last; index++) {
    const startNs = edgesNs[index]!;
    const endNs = edgesNs[index + 1]!;
    const item = make(startNs, endNs, index);
    if (item === null) continue;
    const isPartial = index === last && !lastIsComplete;
    made.push(isPartial ? Object.assign({ startNs, endNs, is_complete: false as const }, item) : item);
  }
  return made;
}

/**
 * By edge: the row of the last sample at or before it, 0 when there is none; for the last one, that of the last slice's last
 * sample. Edges and times ascend both, so that one walk along them finds all.
 */
export function rowsAtEdges({ edgesNs, lastSampleNs }: Slices, timesNs: Float64Array): Int32Array {
  const rows = new Int32Array(edgesNs.length);
  const last = edgesNs.length - 1;
  let row = 0;
  for (let edge = 0; edge <= last; edge++) {
    const until = edge === last ? lastSampleNs : edgesNs[edge]!;
    while (row + 1 < timesNs.length && timesNs[row + 1]! <= until) row++;
    rows[edge] = row;
  }
  return rows;
}
