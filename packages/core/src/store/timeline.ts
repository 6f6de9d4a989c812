/**
 * The times of an endpoint's frames, in ascending order.
 *
 * Times are offsets from an origin in ns, stored as doubles: exact for 104 days (2^53 ns) and fast to compare.
 */
export interface Timeline {
  /** Wall time of offset 0, in ns since 1970. */
  readonly originNs: bigint;
  /** Offsets from the origin in ns, one per frame, ascending. */
  readonly offsetsNs: Float64Array;
}

/** Returns the index of the first offset >= `offsetNs`, or the length if all offsets are smaller. */
export function lowerBound(offsetsNs: Float64Array, offsetNs: number): number {
  let from = 0;
  let to = offsetsNs.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (offsetsNs[middle]! < offsetNs) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns the index of the first offset > `offsetNs`, or the length if there is none. */
export function upperBound(offsetsNs: Float64Array, offsetNs: number): number {
  let from = 0;
  let to = offsetsNs.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (offsetsNs[middle]! <= offsetNs) from = middle + 1;
    else to = middle;
  }
  return from;
}
