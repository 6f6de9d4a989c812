/**
 * When the frames of one endpoint were taken, in ascending order.
 *
 * Times are kept as ns since an origin, in doubles: exact for 104 days (2^53 ns), and fast to compare.
 */
export interface Timeline {
  /** Wall time of offset 0, in ns since 1970. */
  readonly originNs: bigint;
  /** ns since the origin, one per frame, ascending. */
  readonly offsetsNs: Float64Array;
}

/** Index of the first time that is >= `offsetNs`; the length when there is none. */
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

/** Index of the first time that is > `offsetNs`; the length when there is none. */
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
