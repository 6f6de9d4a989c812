/**
 * A timeslice of a series, with the statistics of its type. Values are corrected for resets and free of sampling
 * artefacts if the export allows it; see `toRunSlices`.
 */
export interface RunSlice {
  readonly start_ns: bigint;
  readonly end_ns: bigint;
  /** False for a last slice that is shorter because the run ended. */
  readonly is_complete?: boolean;
  readonly avg?: number;
  readonly min?: number;
  readonly max?: number;
  readonly total?: number;
  readonly rate?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly buckets?: Buckets | null;
  /** Observations per second, without sampling artefacts. */
  readonly count_rate?: number;
  /** Number of resets between samples in or around the slice; absent without a reset. */
  readonly resets?: number;
}

/** Cumulative counts by upper bound (inclusive). Bounds are formatted as by the server. */
export type Buckets = Readonly<Record<string, number>>;

/** Statistics by name (`avg`, `p99`, `total`, `rate`, `p99_estimate`, ...), as in the export. */
export type Stats = Readonly<Record<string, number | undefined>>;
