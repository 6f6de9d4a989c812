/**
 * The finite samples of a gauge, counter or unknown, in order of time. Both arrays have one entry a sample.
 */
export interface ScalarSamples {
  /** ns since the timeline's origin. */
  readonly timesNs: Float64Array;
  readonly values: Float64Array;
}

/** The bound of a bucket: as a number, and as the server printed it. */
export interface Bound {
  readonly le: number;
  readonly text: string;
}

/**
 * The complete samples of a histogram, in order of time: raw cumulative values as the server said them.
 */
export interface HistogramSamples {
  /** ns since the timeline's origin. */
  readonly timesNs: Float64Array;
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  /** Ascending; the last is +Inf in every histogram that follows the format. */
  readonly bounds: readonly Bound[];
  /** By bound: how many observations <= le there were, one entry a sample. */
  readonly cumulative: readonly Float64Array[];
}

/**
 * The samples of a summary, in order of time: raw cumulative sum and count, and the server's own quantiles.
 */
export interface SummarySamples {
  /** ns since the timeline's origin. */
  readonly timesNs: Float64Array;
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  /** Ascending. */
  readonly quantiles: readonly { readonly quantile: number; readonly text: string }[];
  /** By quantile: one entry a sample, `NaN` where the server had none (no recent observations, say). */
  readonly values: readonly Float64Array[];
}
