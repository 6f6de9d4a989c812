import { computeUpdateIntervalNs } from '../store/endpointInfo.ts';
import type { EndpointStore } from '../store/endpointStore.ts';
import type { Period } from './window.ts';

/** The time range of one timeslice. */
export interface Slice {
  /** In ns since the timeline's origin. */
  readonly startNs: number;
  readonly endNs: number;
  /** False if the period ended before the slice was complete; otherwise absent. */
  readonly is_complete?: false;
}

/** A division of the period into slices: slice i is from edge i to edge i + 1. */
export interface Slices {
  readonly edgesNs: Float64Array;
  readonly isLastComplete: boolean;
  /**
   * Latest time of samples in the last slice: the end of the slice, or the end of the period if a short
   * remainder was added to the slice.
   */
  readonly lastSampleNs: number;
  /** True if edges are sample times. A sample then belongs to the slice that ends with it. */
  readonly isPerInterval: boolean;
}

/** Maximum number of slices. A period with more slices is divided into one slice per sample interval instead. */
const MAX_SLICES = 1_000_000;

/**
 * Reports whether to use one slice per sample interval, because slices of `sliceNs` would be shorter than the
 * endpoint's median update interval, or too many. Callers log a warning once. See
 * docs/decisions/0003-slice-duration.md.
 */
export function shouldSlicePerInterval(store: EndpointStore, period: Period, sliceNs: number): boolean {
  const interval = computeUpdateIntervalNs(store) ?? 0;
  return sliceNs < interval || (period.endNs - period.startNs) / sliceNs > MAX_SLICES;
}

/**
 * Divides the period into slices of `sliceNs`. The last slice is partial if the period is not a multiple of
 * `sliceNs`; a slice longer than the period gives one partial slice.
 *
 * A remainder shorter than `minPartialNs` is added to the last complete slice. The closing scrape completes a
 * few ms after the end of the period; the rate in a separate slice of this length would be misleading.
 */
export function cutFixedSlices(period: Period, sliceNs: number, minPartialNs = 0): Slices {
  const { startNs, endNs } = period;
  const fullCount = Math.max(0, Math.floor((endNs - startNs) / sliceNs));
  const remainder = endNs - (startNs + fullCount * sliceNs);
  const isLastComplete = fullCount > 0 && (remainder <= 0 || remainder < minPartialNs);
  const count = isLastComplete || endNs <= startNs ? fullCount : fullCount + 1;
  const edgesNs = new Float64Array(count + 1);
  for (let at = 0; at <= count; at++) edgesNs[at] = startNs + at * sliceNs;
  if (!isLastComplete) edgesNs[count] = endNs;
  return { edgesNs, isLastComplete, lastSampleNs: endNs, isPerInterval: false };
}

/**
 * Divides the period into one complete slice per interval between samples. The first slice starts at the
 * start of the period.
 */
export function cutIntervalSlices(period: Period, timesNs: Float64Array): Slices {
  const edges = [period.startNs];
  for (const timeNs of timesNs) {
    if (timeNs > edges.at(-1)! && timeNs <= period.endNs) edges.push(timeNs);
  }
  const edgesNs = Float64Array.from(edges);
  return { edgesNs, isLastComplete: true, lastSampleNs: edges.at(-1)!, isPerInterval: true };
}

/** Maps each slice to an item, omits null items, and marks the item of a partial last slice. */
export function mapSlices<T extends Slice>(
  { edgesNs, isLastComplete }: Slices,
  map: (startNs: number, endNs: number, index: number) => T | null,
): T[] {
  const items: T[] = [];
  const last = edgesNs.length - 2;
  for (let index = 0; index <= last; index++) {
    const startNs = edgesNs[index]!;
    const endNs = edgesNs[index + 1]!;
    const item = map(startNs, endNs, index);
    if (item === null) continue;
    const isPartial = index === last && !isLastComplete;
    items.push(isPartial ? Object.assign({ startNs, endNs, is_complete: false as const }, item) : item);
  }
  return items;
}

/**
 * Returns, for each edge, the row of the last sample at or before the edge, or 0 if all samples are later.
 * For the last edge, returns the row of the last sample of the last slice.
 */
export function findRowsAtEdges({ edgesNs, lastSampleNs }: Slices, timesNs: Float64Array): Int32Array {
  const rows = new Int32Array(edgesNs.length);
  const last = edgesNs.length - 1;
  let row = 0;
  for (let edge = 0; edge <= last; edge++) {
    const untilNs = edge === last ? lastSampleNs : edgesNs[edge]!;
    while (row + 1 < timesNs.length && timesNs[row + 1]! <= untilNs) row++;
    rows[edge] = row;
  }
  return rows;
}
