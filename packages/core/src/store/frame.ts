/**
 * One scrape of one endpoint, ready for the store: a value for each slot of its layout.
 */
export interface Frame {
  /** Wall time at which the first byte of the answer came, in ns since 1970. */
  readonly timestampNs: bigint;
  /** From the request's sending to that first byte, in ns. */
  readonly latencyNs: number;
  /** False when the body was, byte for byte, the endpoint's previous one. */
  readonly changed: boolean;
  /**
   * Value by slot; `NaN` where this scrape had no finite sample. May be shorter than the layout is by now:
   * what is missing at its end is absent. The store copies it, so the array may be used again.
   */
  readonly values: Float64Array;
}
