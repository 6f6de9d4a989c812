// Generated from urn:servelens:schema:profile-export:1.3 by scripts/generate.mjs. Do not edit.

/**
 * profile_export_aiperf.json, schema 1.3: what the load generator measured (seed 004). Every other top-level object with a unit is the block of one metric; fields that are not named here are accepted.
 */
export interface ProfileExport {
  /**
   * Version of this layout.
   */
  readonly schema_version: '1.3';
  /**
   * Version of the tool that wrote the file.
   */
  readonly aiperf_version?: string | null;
  /**
   * UUID of the run, the same in all its files.
   */
  readonly benchmark_id?: string | null;
  /**
   * Start of the run, UTC.
   */
  readonly start_time?: string;
  /**
   * End of the run, UTC.
   */
  readonly end_time?: string;
  /**
   * True when the run was interrupted.
   */
  readonly was_cancelled?: boolean;
  /**
   * The resolved configuration of the run.
   */
  readonly input_config?: Readonly<Record<string, unknown>>;
  readonly run_info?: RunInfo;
  /**
   * GPU telemetry, when it was collected.
   */
  readonly telemetry_data?: Readonly<Record<string, unknown>>;
  /**
   * How often each error happened.
   */
  readonly error_summary?: readonly ErrorCount[];
  readonly load_generator?: LoadGenerator;
  readonly reconciliation?: Reconciliation;
  readonly recovered?: Recovered;
  readonly [k: string]: unknown;
}
/**
 * What it takes to run this again.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "RunInfo".
 */
export interface RunInfo {
  /**
   * UUID of the run, as at the top of the document.
   */
  readonly benchmark_id: string;
  /**
   * UUID of the sweep that the run belongs to.
   */
  readonly sweep_id?: string | null;
  /**
   * Seed of the run; null when it was not fixed.
   */
  readonly random_seed?: number | bigint | null;
  /**
   * Number of the trial within its variation, from 0.
   */
  readonly trial: number;
  /**
   * Name of the run, such as run_0001. AIPerf leaves it out of runs without sweep.
   */
  readonly run_label?: string;
  /**
   * Name of the variation, base outside sweeps. AIPerf leaves it out of runs without sweep.
   */
  readonly variation_label?: string;
  /**
   * Number of the variation, from 0. AIPerf leaves it out of runs without sweep.
   */
  readonly variation_index?: number;
  /**
   * Point of the sweep, by parameter path. AIPerf leaves it out of runs without sweep.
   */
  readonly variation_values?: Readonly<Record<string, unknown>>;
  /**
   * Command line of the run, without secrets.
   */
  readonly cli_command?: string | null;
}
/**
 * One error and how often it happened.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "ErrorCount".
 */
export interface ErrorCount {
  readonly error_details?: ErrorDetails;
  /**
   * How often.
   */
  readonly count: number;
}
/**
 * The error.
 */
export interface ErrorDetails {
  /**
   * HTTP status or code.
   */
  readonly code?: number | string | null;
  /**
   * Class of the error.
   */
  readonly type?: string | null;
  /**
   * Its text.
   */
  readonly message?: string | null;
  /**
   * What caused it.
   */
  readonly cause?: string | null;
  /**
   * Its causes, the last one first.
   */
  readonly cause_chain?: readonly string[] | null;
  /**
   * What else is known of it.
   */
  readonly details?: unknown;
}
/**
 * What the load generator says of itself: whether its figures can be trusted. All of profiling.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "LoadGenerator".
 */
export interface LoadGenerator {
  /**
   * Who counted tokens: a tokenizer's name, or server.
   */
  readonly tokenizer: string;
  /**
   * Threads of their own that sent the requests; absent when the one thread of the client did. Lag and busy are those of the worst.
   */
  readonly workers?: number;
  /**
   * How late its timers were, percentile 99.
   */
  readonly event_loop_lag_p99_ms?: number;
  /**
   * The same at its worst.
   */
  readonly event_loop_lag_max_ms?: number;
  /**
   * Share of the time in which it was at work.
   */
  readonly busy?: number;
  /**
   * From the intended to the real time of sending, waits for a free place included, percentile 99.
   */
  readonly send_lateness_p99_ms?: number;
  /**
   * The same at its worst.
   */
  readonly send_lateness_max_ms?: number;
  /**
   * Requests that were due when the time was up and were never sent.
   */
  readonly unsent?: number;
  /**
   * What ended profiling: requests, sessions, duration, schedule or interrupted.
   */
  readonly stopped?: string;
  /**
   * What makes its figures doubtful.
   */
  readonly warnings?: readonly LoadGeneratorWarning[];
}
/**
 * One of them.
 */
export interface LoadGeneratorWarning {
  /**
   * What it is about: event_loop_lag, client_busy, late_sends, records_behind, silent_ends or worker_lost.
   */
  readonly kind: string;
  /**
   * A sentence for people.
   */
  readonly message: string;
}
/**
 * Client against servers in the profiling period: counts, latencies, and in what they do not agree.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "Reconciliation".
 */
export interface Reconciliation {
  /**
   * Kind of the server: vLLM, SGLang, TRT-LLM, Dynamo or Triton.
   */
  readonly server: string;
  readonly requests?: ComparedRequests;
  readonly prompt_tokens?: ComparedTokens;
  readonly generation_tokens?: ComparedTokens;
  /**
   * Latencies that both sides measured.
   */
  readonly latencies: readonly ComparedLatency[];
  readonly queue?: Queueing;
  /**
   * Requests that the servers were at when profiling began; none of ours was under way.
   */
  readonly running_at_start?: number;
  /**
   * The same when it ended.
   */
  readonly running_at_end?: number;
  /**
   * Requests that ended, by endpoint, where there are several.
   */
  readonly requests_by_endpoint?: readonly EndpointRequests[];
  /**
   * In what client and servers do not agree, and what explains it; empty when they agree.
   */
  readonly findings: readonly ReconciliationFinding[];
}
/**
 * Requests that were answered, by both sides.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "ComparedRequests".
 */
export interface ComparedRequests {
  /**
   * What the client counted.
   */
  readonly client: number;
  /**
   * What the servers counted.
   */
  readonly server: number;
  /**
   * server − client.
   */
  readonly difference: number;
  /**
   * Requests that the client sent in vain, hang-ups of its own among them.
   */
  readonly client_failed: number;
  /**
   * Of these: hung up by the client.
   */
  readonly client_cancelled: number;
  /**
   * Requests that ended on the servers without an answer; they are not in server.
   */
  readonly server_unfinished: number;
}
/**
 * Tokens, by both sides.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "ComparedTokens".
 */
export interface ComparedTokens {
  /**
   * What the client counted.
   */
  readonly client: number;
  /**
   * What the servers counted.
   */
  readonly server: number;
  /**
   * server − client.
   */
  readonly difference: number;
  /**
   * Who counted for the client: usage (of the answers), or the name of a tokenizer.
   */
  readonly client_source: string;
}
/**
 * A latency that both sides measured. Means are exact; percentiles of the servers are estimates, and there only where one series has them all.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "ComparedLatency".
 */
export interface ComparedLatency {
  /**
   * The client's metric.
   */
  readonly metric: string;
  /**
   * The servers' metric.
   */
  readonly server_metric: string;
  /**
   * Mean at the client; of inter_token_latency over all tokens, as servers have it.
   */
  readonly client_avg_ms: number;
  /**
   * Mean at the servers.
   */
  readonly server_avg_ms: number;
  /**
   * client − server: network, what stands between, and what both spend outside the servers' measurement.
   */
  readonly outside_avg_ms: number;
  /**
   * The same as a share of the client's.
   */
  readonly outside_share: number;
  /**
   * Median at the client.
   */
  readonly client_p50_ms?: number;
  /**
   * Median at the servers, estimated.
   */
  readonly server_p50_estimate_ms?: number;
  /**
   * Percentile 99 at the client.
   */
  readonly client_p99_ms?: number;
  /**
   * Percentile 99 at the servers, estimated.
   */
  readonly server_p99_estimate_ms?: number;
}
/**
 * How long requests waited in the servers' queue.
 */
export interface Queueing {
  /**
   * The servers' metric.
   */
  readonly server_metric: string;
  /**
   * Mean.
   */
  readonly avg_ms: number;
  /**
   * Of the client's mean request latency.
   */
  readonly share: number;
}
/**
 * One endpoint.
 */
export interface EndpointRequests {
  /**
   * The endpoint.
   */
  readonly endpoint_url: string;
  /**
   * Requests that ended there.
   */
  readonly requests: number;
}
/**
 * One of them.
 */
export interface ReconciliationFinding {
  /**
   * foreign_traffic, warmup_leakage, answers_lost, requests_missing, replicas_mixed, tokens_differ, server_busy_at_start, counters_reset or run_killed.
   */
  readonly kind: string;
  /**
   * A sentence for people.
   */
  readonly message: string;
  /**
   * How many requests, tokens or endpoints it is about.
   */
  readonly count?: number;
}
/**
 * There when the export was made again from the requests of a run, as after a kill.
 */
export interface Recovered {
  /**
   * Lines of profile_export.jsonl that it is made from.
   */
  readonly requests: number;
  /**
   * Lines that could not be read, such as the last one that a kill cut short.
   */
  readonly lines_dropped: number;
}
/**
 * Statistics of one metric. Absent fields do not apply to its kind.
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
   * Mean, or the single value of an aggregate or derived metric.
   */
  readonly avg?: number;
  /**
   * Percentile 1. Record metrics only.
   */
  readonly p1?: number;
  /**
   * Percentile 5. Record metrics only.
   */
  readonly p5?: number;
  /**
   * Percentile 10. Record metrics only.
   */
  readonly p10?: number;
  /**
   * Percentile 25. Record metrics only.
   */
  readonly p25?: number;
  /**
   * Percentile 50. Record metrics only.
   */
  readonly p50?: number;
  /**
   * Percentile 75. Record metrics only.
   */
  readonly p75?: number;
  /**
   * Percentile 90. Record metrics only.
   */
  readonly p90?: number;
  /**
   * Percentile 95. Record metrics only.
   */
  readonly p95?: number;
  /**
   * Percentile 99. Record metrics only.
   */
  readonly p99?: number;
  /**
   * Smallest observation. Record metrics only.
   */
  readonly min?: number;
  /**
   * Largest observation. Record metrics only.
   */
  readonly max?: number;
  /**
   * Sample standard deviation. Record metrics only.
   */
  readonly std?: number;
  /**
   * Records behind the distribution. Record metrics only.
   */
  readonly count?: number;
  /**
   * Sum of all observations. Record metrics only.
   */
  readonly sum?: number;
  /**
   * How percentiles were made where they are estimates: t-digest. Absent where they are exact.
   */
  readonly percentile_method?: string;
  /**
   * Share of all observations by which the rank of an estimated percentile is off at most; least at p50, less towards both ends.
   */
  readonly percentile_rank_error?: number;
}
