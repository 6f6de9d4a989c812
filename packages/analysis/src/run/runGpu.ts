/** A GPU of a run and its samples, in order of time. */
export interface RunGpu {
  /** Index on its host, from 0. */
  readonly index: number;
  readonly uuid: string;
  readonly model: string;
  /** Absent if the source of the samples does not name a host. */
  readonly hostname?: string;
  /** URL of the exporter, or the name of a local source such as `pynvml://localhost`. */
  readonly source: string;
  /** Time of each sample, in nanoseconds since 1970. */
  readonly timesNs: readonly bigint[];
  /** Values by metric, NaN where a sample has none. Metrics and units are those of gpu_telemetry_export.jsonl. */
  readonly values: ReadonlyMap<string, readonly number[]>;
}
