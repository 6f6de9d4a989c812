/** One scrape of one endpoint: a value for each slot of its layout. */
export interface Frame {
  /** Wall time of the first byte of the response, in ns since 1970. */
  readonly timestampNs: bigint;
  /** Time from sending the request to the first byte of the response, in ns. */
  readonly latencyNs: number;
  /** True if the body differs from the endpoint's previous body. */
  readonly changed: boolean;
  /**
   * Values by slot, `NaN` where this scrape had no finite sample. May be shorter than the layout; values missing at the end
   * are absent. The store copies the array, so it can be reused.
   */
  readonly values: Float64Array;
}
