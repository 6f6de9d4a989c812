/**
 * The finite samples of a gauge, a counter or a series of unknown type, in order of time. Both arrays have
 * one entry per sample.
 */
export interface ScalarSamples {
  /** Offsets from the timeline's origin, in ns. */
  readonly timesNs: Float64Array;
  readonly values: Float64Array;
}

/** The upper bound of a bucket: as a number, and as written by the server. */
export interface Bound {
  readonly le: number;
  readonly text: string;
}

/** The complete samples of a histogram, in order of time: cumulative values as exposed by the server. */
export interface HistogramSamples {
  /** Offsets from the timeline's origin, in ns. */
  readonly timesNs: Float64Array;
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  /** In ascending order. The last bound is +Inf unless the server violates the format. */
  readonly bounds: readonly Bound[];
  /** Cumulative counts by bound: the number of observations <= le, one entry per sample. */
  readonly cumulative: readonly Float64Array[];
}

/** The samples of a summary, in order of time: cumulative sum and count, and the quantiles computed by the server. */
export interface SummarySamples {
  /** Offsets from the timeline's origin, in ns. */
  readonly timesNs: Float64Array;
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  /** In ascending order. */
  readonly quantiles: readonly { readonly quantile: number; readonly text: string }[];
  /**
   * Values by quantile, one entry per sample; `NaN` if the server exposed no value (for example, without
   * recent observations).
   */
  readonly values: readonly Float64Array[];
}
