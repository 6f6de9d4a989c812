import { updateIntervalNs } from './endpoint.ts';
import type { Period } from './period.ts';
import type { EndpointStore } from './store.ts';

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
 */
export function fixedSlices(period: Period, sliceNs: number): Slices {
  const length = period.endNs - period.startNs;
  const count = Math.max(0, Math.ceil(length / sliceNs));
  const edgesNs = new Float64Array(count + 1);
  for (let at = 0; at <= count; at++) edgesNs[at] = period.startNs + at * sliceNs;
  const lastIsComplete = count > 0 && edgesNs[count] === period.endNs;
  edgesNs[count] = period.endNs;
  return { edgesNs, lastIsComplete, perInterval: false };
}

/** One slice per interval between samples; the first begins at the start of the period. All are complete. */
export function intervalSlices(period: Period, timesNs: Float64Array): Slices {
  const edges = [period.startNs];
  for (const time of timesNs) {
    if (time > edges.at(-1)! && time <= period.endNs) edges.push(time);
  }
  return { edgesNs: Float64Array.from(edges), lastIsComplete: true, perInterval: true };
}

/** What `make` says of each slice, in order; slices of which it says nothing (null) are left out. */
export function mapSlices<T>(slices: Slices, make: (slice: Slice, index: number) => T | null): T[] {
  const made: T[] = [];
  const last = slices.edgesNs.length - 2;
  for (let index = 0; index <= last; index++) {
    const bounds = { startNs: slices.edgesNs[index]!, endNs: slices.edgesNs[index + 1]! };
    const partial = index === last && !slices.lastIsComplete;
    const item = make(partial ? { ...bounds, is_complete: false } : bounds, index);
    if (item !== null) made.push(item);
  }
  return made;
}

/**
 * By edge: the row of the last sample at or before it, 0 when there is none. Edges and times ascend both, so that one walk
 * along them finds all.
 */
export function rowsAtEdges({ edgesNs }: Slices, timesNs: Float64Array): Int32Array {
  const rows = new Int32Array(edgesNs.length);
  let row = 0;
  for (let edge = 0; edge < edgesNs.length; edge++) {
    while (row + 1 < timesNs.length && timesNs[row + 1]! <= edgesNs[edge]!) row++;
    rows[edge] = row;
  }
  return rows;
}
