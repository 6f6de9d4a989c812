// Generated from urn:servelens:schema:phase-gpu-telemetry:1.0 by scripts/generate.mjs. Do not edit.

/**
 * GPU telemetry of the phase. Null if there is none.
 */
export type PhaseGpuTelemetryData = {
  /**
   * GPUs of each telemetry endpoint, by its host and path.
   */
  readonly endpoints: {
    readonly [k: string]: TelemetryEndpoint;
  };
  /**
   * Errors of the collection and their frequency.
   */
  readonly error_summary?: readonly ErrorCount[] | null;
  readonly summary: TelemetrySummary;
} | null;

/**
 * phases/<phase>/gpu_telemetry.json, version 1: GPU telemetry of one phase. Additional fields are accepted.
 */
export interface PhaseGpuTelemetry {
  readonly data: PhaseGpuTelemetryData;
  /**
   * How the energy of the GPUs was measured, in runs of `servelens collect`. One entry per maker of GPUs.
   */
  readonly gpu_energy?: readonly GpuEnergy[];
  /**
   * Energy metrics of a run of `servelens collect`, by tag. Tokens and requests are those that the servers counted.
   */
  readonly gpu_metrics?: {
    readonly [k: string]: ProfileMetric;
  };
  /**
   * Limitations of the figures about GPUs, as sentences.
   */
  readonly gpu_notes?: readonly string[];
  /**
   * The energy of each server whose GPUs are known.
   */
  readonly gpu_servers?: readonly GpuServer[];
  readonly phase: Phase;
  /**
   * Version of the file's layout.
   */
  readonly schema_version: 1;
  /**
   * Where the tokens and requests in `gpu_metrics` are counted: `server`. Absent if no server counts them.
   */
  readonly token_source?: string;
  /**
   * Problems of the collection in this phase.
   */
  readonly warnings: readonly string[];
}
/**
 * GPUs of one telemetry endpoint.
 */
export interface TelemetryEndpoint {
  /**
   * GPUs, by a name such as gpu_0.
   */
  readonly gpus?: {
    readonly [k: string]: GpuSummary;
  };
}
/**
 * Statistics of one GPU.
 *
 * This interface was referenced by `PhaseGpuTelemetry`'s JSON-Schema
 * via the `definition` "GpuSummary".
 */
export interface GpuSummary {
  /**
   * Index of the GPU on its host, from 0.
   */
  readonly gpu_index: number;
  /**
   * Model of the GPU.
   */
  readonly gpu_name: string;
  /**
   * UUID of the GPU.
   */
  readonly gpu_uuid: string;
  /**
   * Host of the GPU.
   */
  readonly hostname?: string | null;
  /**
   * Statistics of each metric of the GPU, by name. A cumulative counter has only its increase, as `avg`.
   */
  readonly metrics: {
    readonly [k: string]: ProfileMetric;
  };
  /**
   * Kubernetes namespace of the pod that uses the GPU.
   */
  readonly namespace?: string | null;
  /**
   * Platform of the GPU: nvidia, amd or unknown.
   */
  readonly platform?: string;
  /**
   * Kubernetes pod that uses the GPU.
   */
  readonly pod_name?: string | null;
}
/**
 * Statistics of one metric. Fields that do not apply to the kind of metric are absent.
 *
 * This interface was referenced by `PhaseGpuTelemetry`'s JSON-Schema
 * via the `definition` "ProfileMetric".
 */
export interface ProfileMetric {
  /**
   * Mean over all requests, or the value of a metric that has only one.
   */
  readonly avg?: number;
  /**
   * Number of values in the distribution. Per-request metrics only.
   */
  readonly count?: number;
  /**
   * Largest value. Per-request metrics only.
   */
  readonly max?: number;
  /**
   * Smallest value. Per-request metrics only.
   */
  readonly min?: number;
  /**
   * 1st percentile. Per-request metrics only.
   */
  readonly p1?: number;
  /**
   * 10th percentile. Per-request metrics only.
   */
  readonly p10?: number;
  /**
   * 25th percentile. Per-request metrics only.
   */
  readonly p25?: number;
  /**
   * 5th percentile. Per-request metrics only.
   */
  readonly p5?: number;
  /**
   * 50th percentile. Per-request metrics only.
   */
  readonly p50?: number;
  /**
   * 75th percentile. Per-request metrics only.
   */
  readonly p75?: number;
  /**
   * 90th percentile. Per-request metrics only.
   */
  readonly p90?: number;
  /**
   * 95th percentile. Per-request metrics only.
   */
  readonly p95?: number;
  /**
   * 99th percentile. Per-request metrics only.
   */
  readonly p99?: number;
  /**
   * Sample standard deviation. Per-request metrics only.
   */
  readonly std?: number;
  /**
   * Sum of all values. Per-request metrics only.
   */
  readonly sum?: number;
  /**
   * Unit of all values in this block.
   */
  readonly unit: string;
}
/**
 * An error and the number of requests that failed with it.
 *
 * This interface was referenced by `PhaseGpuTelemetry`'s JSON-Schema
 * via the `definition` "ErrorCount".
 */
export interface ErrorCount {
  /**
   * Number of requests that failed with this error.
   */
  readonly count: number;
  readonly error_details?: ErrorDetails;
}
/**
 * Type, message and cause of the error.
 */
export interface ErrorDetails {
  /**
   * Cause of the error.
   */
  readonly cause?: string | null;
  /**
   * Chain of error classes, from the error to its root cause.
   */
  readonly cause_chain?: readonly string[] | null;
  /**
   * HTTP status code, or another numeric error code.
   */
  readonly code?: number | string | null;
  /**
   * Additional details, in any format.
   */
  readonly details?: unknown;
  /**
   * Error message.
   */
  readonly message?: string | null;
  /**
   * Class of the error, such as HttpError.
   */
  readonly type?: string | null;
}
/**
 * Times and endpoints of the collection.
 */
export interface TelemetrySummary {
  /**
   * End of the collection.
   */
  readonly end_time: string;
  /**
   * URLs of all requested telemetry endpoints, reached or not.
   */
  readonly endpoints_configured?: readonly string[] | null;
  /**
   * URLs of the telemetry endpoints that returned data.
   */
  readonly endpoints_successful?: readonly string[] | null;
  /**
   * Start of the collection. AIPerf writes local time without a time zone.
   */
  readonly start_time: string;
}
/**
 * How the energy of the GPUs of one maker was measured.
 *
 * This interface was referenced by `PhaseGpuTelemetry`'s JSON-Schema
 * via the `definition` "GpuEnergy".
 */
export interface GpuEnergy {
  /**
   * Total time between samples that are more than 3 seconds apart, over which the power was interpolated; of the GPU with the longest gaps. Absent without gaps.
   */
  readonly gap_seconds?: number;
  /**
   * Number of GPUs that the energy includes.
   */
  readonly gpu_count: number;
  /**
   * Platform of the GPUs: nvidia or amd.
   */
  readonly platform: string;
  /**
   * `counter`: the energy counters of the GPUs. `power`: integrated from samples of the power. `mixed`: both. Absent if the energy is unknown.
   */
  readonly source?: string;
}
/**
 * The energy of the GPUs of one server. Token counts are those of the server.
 *
 * This interface was referenced by `PhaseGpuTelemetry`'s JSON-Schema
 * via the `definition` "GpuServer".
 */
export interface GpuServer {
  /**
   * URL of the metrics endpoint of the server.
   */
  readonly endpoint_url: string;
  /**
   * Energy of these GPUs in the profiling phase. Absent if it is unknown.
   */
  readonly energy_joules?: number;
  /**
   * Energy / output tokens.
   */
  readonly energy_per_output_token?: number;
  /**
   * UUIDs of the GPUs of the server.
   */
  readonly gpus: readonly string[];
  /**
   * Output tokens per second and GPU.
   */
  readonly output_token_throughput_per_gpu?: number;
  /**
   * Output tokens that the server counted in the profiling phase. Absent if it counts none.
   */
  readonly output_tokens?: number;
}
/**
 * The phase.
 */
export interface Phase {
  /**
   * End of the phase.
   */
  readonly end_ns?: bigint | null;
  /**
   * Index of the phase in the run, from 0. Null if AIPerf added the phase itself.
   */
  readonly phase_index?: number | null;
  /**
   * Kind of the phase: warmup or profiling.
   */
  readonly phase_kind?: string | null;
  /**
   * Name of the phase, which is also the name of its folder in `phases`.
   */
  readonly phase_name: string;
  /**
   * Index of the phase among the profiling phases, from 0. Null for a warm-up.
   */
  readonly profiling_index?: number | null;
  /**
   * Start of the phase.
   */
  readonly start_ns?: bigint | null;
  /**
   * Whether the phase was interrupted.
   */
  readonly was_cancelled?: boolean;
}
