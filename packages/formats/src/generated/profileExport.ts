// Generated from urn:servelens:schema:profile-export:1.4 by scripts/generate.mjs. Do not edit.

/**
 * profile_export_aiperf.json, schema 1.4: measurements of the load generator. Each additional top-level object with a unit is the block of one metric. Other additional fields are accepted.
 */
export interface ProfileExport {
  /**
   * Version of the file's layout.
   */
  readonly schema_version: '1.3' | '1.4';
  /**
   * Version of AIPerf that the file is compatible with. In files of AIPerf and of earlier versions of Servelens, the version of the program that wrote the file.
   */
  readonly aiperf_version?: string | null;
  /**
   * Version of Servelens that recorded the run. Absent if another program recorded it.
   */
  readonly servelens_version?: string;
  /**
   * UUID of the run, identical in all files of the run.
   */
  readonly benchmark_id?: string | null;
  /**
   * Start of the run, in UTC.
   */
  readonly start_time?: string;
  /**
   * End of the run, in UTC.
   */
  readonly end_time?: string;
  /**
   * Whether the run was interrupted, or aborted because of failures.
   */
  readonly was_cancelled?: boolean;
  /**
   * Whether the run finished with all its records. False if it stopped early, for example because no records arrived any more.
   */
  readonly is_complete?: boolean;
  /**
   * Reason why the run is incomplete. Null or absent if it is complete.
   */
  readonly incomplete_reason?: string | null;
  /**
   * Effective configuration of the run.
   */
  readonly input_config?: Readonly<Record<string, unknown>>;
  /**
   * Options of the run that AIPerf's configuration does not have, such as the scrape interval; and in server_definitions, the definitions of servers that the user added, each in the schema server-definition.1.
   */
  readonly servelens_config?: Readonly<Record<string, unknown>>;
  readonly run_info?: RunInfo;
  readonly telemetry_data?: TelemetryData;
  /**
   * Errors of the requests and their frequency.
   */
  readonly error_summary?: readonly ErrorCount[];
  /**
   * Metrics of the requests of the warm-up phase, by tag. Absent without a warm-up.
   */
  readonly warmup_metrics?: {
    readonly [k: string]: ProfileMetric;
  };
  /**
   * Counters of branches in agentic sessions. Absent for other data sets.
   */
  readonly branch_stats?: Readonly<Record<string, unknown>>;
  /**
   * Number of verification steps of speculative decoding, by the number of accepted draft tokens. Absent without speculative decoding.
   */
  readonly pooled_spec_decode_acceptance_histogram?: {
    readonly [k: string]: number;
  };
  /**
   * Additional data of the run, such as the source of a public data set or the result of a scenario.
   */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * Metrics of the requests of the profiling phase by the URL that they were sent to. Absent with a single URL. Rates use the duration of the run.
   */
  readonly url_metrics?: readonly UrlMetrics[];
  readonly load_generator?: LoadGenerator;
  readonly reconciliation?: Reconciliation;
  /**
   * How the energy of the GPUs was measured. One entry per maker of GPUs.
   */
  readonly gpu_energy?: readonly GpuEnergy[];
  /**
   * The energy of each server whose GPUs are known.
   */
  readonly gpu_servers?: readonly GpuServer[];
  /**
   * Limitations of the figures about GPUs, as sentences.
   */
  readonly gpu_notes?: readonly string[];
  readonly recovered?: Recovered;
  readonly shard?: Shard;
  /**
   * The shards that this run was merged from (`servelens merge`). Absent for a run that is not merged.
   */
  readonly shards?: readonly MergedShard[];
  readonly [k: string]: unknown;
}
/**
 * Data needed to reproduce the run.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "RunInfo".
 */
export interface RunInfo {
  /**
   * UUID of the run, equal to `benchmark_id` at the top of the document.
   */
  readonly benchmark_id: string;
  /**
   * UUID of the sweep that contains the run.
   */
  readonly sweep_id?: string | null;
  /**
   * Seed of the random number generator. Null if it was not set.
   */
  readonly random_seed?: number | bigint | null;
  /**
   * Index of the trial within its variation, from 0.
   */
  readonly trial: number;
  /**
   * Name of the run, such as run_0001. Absent in AIPerf's files of runs that are not part of a sweep.
   */
  readonly run_label?: string;
  /**
   * Name of the variation; `base` outside of sweeps. Absent in AIPerf's files of runs that are not part of a sweep.
   */
  readonly variation_label?: string;
  /**
   * Index of the variation, from 0. Absent in AIPerf's files of runs that are not part of a sweep.
   */
  readonly variation_index?: number;
  /**
   * Values of the swept parameters, by parameter path. Absent in AIPerf's files of runs that are not part of a sweep.
   */
  readonly variation_values?: Readonly<Record<string, unknown>>;
  /**
   * Command line of the run, with secrets redacted.
   */
  readonly cli_command?: string | null;
}
/**
 * GPU telemetry. AIPerf also writes it, without endpoints, if no telemetry was collected.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "TelemetryData".
 */
export interface TelemetryData {
  readonly summary: TelemetrySummary;
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
}
/**
 * Times and endpoints of the collection.
 */
export interface TelemetrySummary {
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
  readonly start_time?: string;
  /**
   * End of the collection.
   */
  readonly end_time?: string;
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
 * This interface was referenced by `ProfileExport`'s JSON-Schema
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
   * Platform of the GPU: nvidia, amd or unknown.
   */
  readonly platform?: string;
  /**
   * Host of the GPU.
   */
  readonly hostname?: string | null;
  /**
   * Kubernetes namespace of the pod that uses the GPU.
   */
  readonly namespace?: string | null;
  /**
   * Kubernetes pod that uses the GPU.
   */
  readonly pod_name?: string | null;
  /**
   * Statistics of each metric of the GPU, by name. A cumulative counter has only its increase, as `avg`.
   */
  readonly metrics: {
    readonly [k: string]: ProfileMetric;
  };
}
/**
 * Statistics of one metric. Fields that do not apply to the kind of metric are absent.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "ProfileMetric".
 */
export interface ProfileMetric {
  /**
   * Unit of all values in this block.
   */
  readonly unit: string;
  /**
   * Mean over all requests, or the value of a metric that has only one.
   */
  readonly avg?: number;
  /**
   * 1st percentile. Per-request metrics only.
   */
  readonly p1?: number;
  /**
   * 5th percentile. Per-request metrics only.
   */
  readonly p5?: number;
  /**
   * 10th percentile. Per-request metrics only.
   */
  readonly p10?: number;
  /**
   * 25th percentile. Per-request metrics only.
   */
  readonly p25?: number;
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
   * Smallest value. Per-request metrics only.
   */
  readonly min?: number;
  /**
   * Largest value. Per-request metrics only.
   */
  readonly max?: number;
  /**
   * Sample standard deviation. Per-request metrics only.
   */
  readonly std?: number;
  /**
   * Number of values in the distribution. Per-request metrics only.
   */
  readonly count?: number;
  /**
   * Sum of all values. Per-request metrics only.
   */
  readonly sum?: number;
  /**
   * Method of the percentile estimates (t-digest). Absent if the percentiles are exact.
   */
  readonly percentile_method?: string;
  /**
   * Maximum rank error of an estimated percentile, as a fraction of the number of values. It applies to the median; percentiles closer to 0 or 100 have smaller errors.
   */
  readonly percentile_rank_error?: number;
  /**
   * Resolution of the times of requests in a metric that is weighted by time. Absent if they are exact.
   */
  readonly time_resolution_ms?: number;
}
/**
 * An error and the number of requests that failed with it.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "ErrorCount".
 */
export interface ErrorCount {
  readonly error_details?: ErrorDetails;
  /**
   * Number of requests that failed with this error.
   */
  readonly count: number;
}
/**
 * Type, message and cause of the error.
 */
export interface ErrorDetails {
  /**
   * HTTP status code, or another numeric error code.
   */
  readonly code?: number | string | null;
  /**
   * Class of the error, such as HttpError.
   */
  readonly type?: string | null;
  /**
   * Error message.
   */
  readonly message?: string | null;
  /**
   * Cause of the error.
   */
  readonly cause?: string | null;
  /**
   * Chain of error classes, from the error to its root cause.
   */
  readonly cause_chain?: readonly string[] | null;
  /**
   * Additional details, in any format.
   */
  readonly details?: unknown;
}
export interface UrlMetrics {
  /**
   * The place of the URL in `input_config.endpoint.urls`, from 0.
   */
  readonly url_index: number;
  /**
   * The URL, without credentials.
   */
  readonly url?: string;
  /**
   * Metrics by tag.
   */
  readonly metrics: {
    readonly [k: string]: ProfileMetric;
  };
}
/**
 * Health of the load generator during the profiling phase. Shows whether the client was a bottleneck.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "LoadGenerator".
 */
export interface LoadGenerator {
  /**
   * Name of the tokenizer that counted tokens on the client, or `server` if the client did not count tokens.
   */
  readonly tokenizer: string;
  /**
   * Source of the token counts that metrics use: `client` for the tokenizer, or `server` for `usage` in the responses.
   */
  readonly token_source?: 'client' | 'server';
  /**
   * Number of worker threads that sent requests. Absent if the main thread sent them. Event-loop delay and utilization are the maximum over the threads.
   */
  readonly workers?: number;
  /**
   * 99th percentile of the event-loop delay, in milliseconds.
   */
  readonly event_loop_delay_p99_ms?: number;
  /**
   * Maximum of the event-loop delay, in milliseconds.
   */
  readonly event_loop_delay_max_ms?: number;
  /**
   * Fraction of the time that the event loop was active, from 0 to 1.
   */
  readonly event_loop_utilization?: number;
  /**
   * 99th percentile of the delay between the intended and the actual send time of a request, in milliseconds. Includes waiting for a concurrency slot.
   */
  readonly send_delay_p99_ms?: number;
  /**
   * Maximum delay between the intended and the actual send time of a request, in milliseconds.
   */
  readonly send_delay_max_ms?: number;
  /**
   * Number of requests that were due before the end of the profiling phase but were not sent.
   */
  readonly unsent_requests?: number;
  /**
   * Number of attempts that were delayed because connections failed repeatedly (closed loop only). Absent if there were none.
   */
  readonly connection_waits?: number;
  /**
   * Total delay of these attempts, in seconds.
   */
  readonly connection_wait_seconds?: number;
  /**
   * Number of responses that the server ended before the requested length: finish_reason is not length, and usage is smaller than requested. Absent if there were none, and in recovered exports.
   */
  readonly early_stops?: number;
  readonly over_saturation?: OverSaturation;
  /**
   * Condition that ended the profiling phase: requests, sessions, duration, schedule, interrupted, failed_requests (--failed-request-threshold was exceeded), or over_saturated (--stop-over-saturated).
   */
  readonly stop_reason?: string;
  /**
   * Reasons to doubt the client's measurements.
   */
  readonly warnings?: readonly LoadGeneratorWarning[];
}
/**
 * Evidence that more requests arrived than the servers could process, for which the load was ended.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "OverSaturation".
 */
export interface OverSaturation {
  /**
   * server_queue: the queues of the servers grew. client: the outstanding requests and their latency grew; used if no server reports a queue.
   */
  readonly signal: 'server_queue' | 'client';
  /**
   * Time from the start of profiling to the end of the load, in seconds.
   */
  readonly detected_after: number;
  /**
   * Length of the window before the end of the load that was judged, in seconds.
   */
  readonly window: number;
  /**
   * Number of requests in the queues of the servers, or outstanding, at the end of the window.
   */
  readonly requests: number;
  readonly growth: Growth;
  readonly latency_growth?: Growth;
}
/**
 * Growth per second: in requests for queues, in seconds for latencies. It is between low and high with a confidence of 99.98%.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "Growth".
 */
export interface Growth {
  /**
   * Estimated growth per second.
   */
  readonly per_second: number;
  /**
   * Lower end of the interval.
   */
  readonly low: number;
  /**
   * Upper end of the interval.
   */
  readonly high: number;
}
/**
 * A reason to doubt the client's measurements.
 */
export interface LoadGeneratorWarning {
  /**
   * Kind of warning: event_loop_delay, client_busy, send_delay, record_backlog, missing_end_markers, chat_template, network_latency, worker_lost, connection_waits or failed_request_threshold.
   */
  readonly kind: string;
  /**
   * Human-readable message.
   */
  readonly message: string;
}
/**
 * Comparison of client and servers over the profiling period: request counts, tokens, latencies, and the differences found.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "Reconciliation".
 */
export interface Reconciliation {
  /**
   * Kind of inference server: vLLM, SGLang, TRT-LLM, Dynamo or Triton.
   */
  readonly server: string;
  readonly requests?: ComparedRequests;
  readonly prompt_tokens?: ComparedTokens;
  readonly generation_tokens?: ComparedTokens;
  /**
   * Latencies measured by both the client and the servers.
   */
  readonly latencies: readonly ComparedLatency[];
  readonly queue?: Queueing;
  /**
   * Number of requests running on the servers at the start of the profiling period, when the client had none in flight.
   */
  readonly running_at_start?: number;
  /**
   * Number of requests running on the servers at the end of the profiling period.
   */
  readonly running_at_end?: number;
  /**
   * Number of completed requests per endpoint. Present if there are several endpoints.
   */
  readonly requests_by_endpoint?: readonly EndpointRequests[];
  /**
   * Differences between client and servers, with explanations. Empty if both agree.
   */
  readonly findings: readonly ReconciliationFinding[];
}
/**
 * Number of successful requests, as counted by the client and by the servers.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "ComparedRequests".
 */
export interface ComparedRequests {
  /**
   * Number counted by the client.
   */
  readonly client: number;
  /**
   * Number counted by the servers.
   */
  readonly server: number;
  /**
   * `server` minus `client`.
   */
  readonly difference: number;
  /**
   * Number of requests that failed on the client, without cancelled requests.
   */
  readonly client_failed: number;
  /**
   * Number of requests that the client cancelled.
   */
  readonly client_cancelled: number;
  /**
   * Number of requests that the servers ended without a response. They are not included in `server`.
   */
  readonly server_unfinished: number;
}
/**
 * Number of tokens, as counted by the client and by the servers.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "ComparedTokens".
 */
export interface ComparedTokens {
  /**
   * Number counted by the client.
   */
  readonly client: number;
  /**
   * Number counted by the servers.
   */
  readonly server: number;
  /**
   * `server` minus `client`.
   */
  readonly difference: number;
  /**
   * Source of the client's token counts: `usage` (reported in the responses), or the name of a tokenizer.
   */
  readonly client_source: string;
  /**
   * Kind of inference server that counted the tokens. Present only if another server counted the requests, such as a router in front of it.
   */
  readonly counted_by?: string;
}
/**
 * A latency measured by both the client and the servers. Means are exact. Server percentiles are estimates, and are present only if one series contains all requests.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "ComparedLatency".
 */
export interface ComparedLatency {
  /**
   * Tag of the client metric, such as time_to_first_token.
   */
  readonly metric: string;
  /**
   * Name of the server metric.
   */
  readonly server_metric: string;
  /**
   * Mean on the client, in milliseconds. For inter_token_latency, this is the mean over all tokens, to match the servers' definition.
   */
  readonly client_avg_ms: number;
  /**
   * Mean on the servers, in milliseconds.
   */
  readonly server_avg_ms: number;
  /**
   * Client mean minus server mean, in milliseconds: time spent in the network, in proxies, and in the client and servers outside of what the servers measure.
   */
  readonly outside_avg_ms: number;
  /**
   * `outside_avg_ms` divided by `client_avg_ms`.
   */
  readonly outside_share: number;
  /**
   * Number of requests that the client's mean covers. Absent if the servers' mean covers as many requests, or is not a mean over requests.
   */
  readonly client_count?: number;
  /**
   * Number of requests that the servers' mean covers, which can include failed and cancelled requests. Absent if the client's mean covers as many.
   */
  readonly server_count?: number;
  /**
   * Median on the client, in milliseconds.
   */
  readonly client_p50_ms?: number;
  /**
   * Estimated median on the servers, in milliseconds.
   */
  readonly server_p50_estimate_ms?: number;
  /**
   * 99th percentile on the client, in milliseconds.
   */
  readonly client_p99_ms?: number;
  /**
   * Estimated 99th percentile on the servers, in milliseconds.
   */
  readonly server_p99_estimate_ms?: number;
}
/**
 * Time that requests waited in the servers' queues.
 */
export interface Queueing {
  /**
   * Name of the server metric.
   */
  readonly server_metric: string;
  /**
   * Arithmetic mean.
   */
  readonly avg_ms: number;
  /**
   * Mean queue time divided by the client's mean request latency.
   */
  readonly share: number;
}
/**
 * Number of requests that one endpoint completed.
 */
export interface EndpointRequests {
  /**
   * URL of the endpoint.
   */
  readonly endpoint_url: string;
  /**
   * Number of requests that the endpoint completed.
   */
  readonly requests: number;
}
/**
 * A difference between client and servers.
 */
export interface ReconciliationFinding {
  /**
   * Kind of finding: other_clients, requests_exceeded, warmup_leakage, responses_lost, requests_missing, mixed_replicas, token_counts_differ, server_busy_at_start, counters_reset, run_killed, server_stalled or server_unresponsive.
   */
  readonly kind: string;
  /**
   * Human-readable message.
   */
  readonly message: string;
  /**
   * Number of requests, tokens or endpoints affected.
   */
  readonly count?: number;
}
/**
 * How the energy of the GPUs of one maker was measured.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "GpuEnergy".
 */
export interface GpuEnergy {
  /**
   * Platform of the GPUs: nvidia or amd.
   */
  readonly platform: string;
  /**
   * Number of GPUs that the energy includes.
   */
  readonly gpu_count: number;
  /**
   * `counter`: the energy counters of the GPUs. `power`: integrated from samples of the power. `mixed`: both. Absent if the energy is unknown.
   */
  readonly source?: string;
  /**
   * Total time between samples that are more than 3 seconds apart, over which the power was interpolated; of the GPU with the longest gaps. Absent without gaps.
   */
  readonly gap_seconds?: number;
}
/**
 * The energy of the GPUs of one server. Token counts are those of the server.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "GpuServer".
 */
export interface GpuServer {
  /**
   * URL of the metrics endpoint of the server.
   */
  readonly endpoint_url: string;
  /**
   * UUIDs of the GPUs of the server.
   */
  readonly gpus: readonly string[];
  /**
   * Energy of these GPUs in the profiling phase. Absent if it is unknown.
   */
  readonly energy_joules?: number;
  /**
   * Output tokens that the server counted in the profiling phase. Absent if it counts none.
   */
  readonly output_tokens?: number;
  /**
   * Energy / output tokens.
   */
  readonly energy_per_output_token?: number;
  /**
   * Output tokens per second and GPU.
   */
  readonly output_token_throughput_per_gpu?: number;
}
/**
 * Present if the export was recomputed from profile_export.jsonl by `servelens recover`.
 */
export interface Recovered {
  /**
   * Number of lines of profile_export.jsonl that were used.
   */
  readonly requests: number;
  /**
   * Number of lines that could not be parsed, such as a truncated last line.
   */
  readonly lines_dropped: number;
}
/**
 * The part of a load that this run sent, one of several processes. Present only with --shard.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "Shard".
 */
export interface Shard {
  /**
   * Number of the shard, from 0.
   */
  readonly index: number;
  /**
   * Number of shards of the load.
   */
  readonly count: number;
  /**
   * Start of profiling, by the clock of this machine.
   */
  readonly start_ns: bigint;
  /**
   * End of profiling, by the clock of this machine.
   */
  readonly end_ns: bigint;
  /**
   * Start of the warm-up. Absent without a warm-up.
   */
  readonly warmup_start_ns?: bigint;
  /**
   * End of the warm-up. Absent without a warm-up.
   */
  readonly warmup_end_ns?: bigint;
  /**
   * Planned start of profiling (--start-at), by the clock of this machine. Absent if the shard started when it was ready.
   */
  readonly start_at_ns?: bigint;
  /**
   * Time from the planned to the actual start of profiling. Absent without a planned start.
   */
  readonly start_delay_ms?: number;
  /**
   * Bounds of the clocks of the servers, from the Date headers of their responses. Servers that sent no such header are missing.
   */
  readonly server_clocks?: readonly ServerClock[];
}
/**
 * Bounds of the time of a server minus the time of the client.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "ServerClock".
 */
export interface ServerClock {
  /**
   * URL of the server, as in input_config.
   */
  readonly url: string;
  /**
   * Lower bound: no response is dated later than its arrival.
   */
  readonly min_offset_ms: number;
  /**
   * Upper bound: no response is dated earlier than its request. It is below the lower bound if the clock of the server is behind in some responses, for example because several processes serve the URL.
   */
  readonly max_offset_ms: number;
  /**
   * Number of responses with a Date header.
   */
  readonly responses: number;
}
/**
 * A shard that a merged run consists of.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "MergedShard".
 */
export interface MergedShard {
  /**
   * Number of the shard, from 0.
   */
  readonly index: number;
  /**
   * ID of the run of the shard.
   */
  readonly benchmark_id: string;
  /**
   * Name of the folder that the shard was merged from.
   */
  readonly folder: string;
  /**
   * Start of profiling of the shard, by its own clock.
   */
  readonly start_ns: bigint;
  /**
   * End of profiling of the shard, by its own clock.
   */
  readonly end_ns: bigint;
  /**
   * Whether the shard was interrupted or killed.
   */
  readonly was_cancelled: boolean;
  /**
   * Time from the planned to the actual start of profiling. Absent without a planned start.
   */
  readonly start_delay_ms?: number;
  /**
   * Number of requests of the profiling phase that the shard recorded. Absent for a shard of a collect run.
   */
  readonly requests?: number;
  /**
   * Number of endpoints that the shard scraped.
   */
  readonly endpoints: number;
  /**
   * Estimated time of the clock of the shard minus the time of the clock of the first shard. Times of the merged run are not corrected by it. Absent if unknown.
   */
  readonly clock_offset_ms?: number;
  /**
   * Half of the width of the range that contains the offset. Absent if the offset is unknown.
   */
  readonly clock_uncertainty_ms?: number;
}
