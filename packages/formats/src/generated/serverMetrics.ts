// Generated from urn:servelens:schema:server-metrics:1.1 by scripts/generate.mjs. Do not edit.

/**
 * Prometheus labels of the series, excluding `le` and `quantile`. Null or absent if the series has no labels.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Labels".
 */
export type Labels = {
  readonly [k: string]: string;
} | null;
/**
 * A metric. Its type determines the statistics of its series.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Metric".
 */
export type Metric = GaugeMetric | CounterMetric | HistogramMetric;
/**
 * Statistics of a histogram in the period. If `count` is 0, the other fields are absent.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "HistogramStats".
 */
export type HistogramStats = HistogramStats1;
/**
 * Observations of the period or timeslice. Maps each upper bound, as received from the server, to the number of observations at or below it. Cumulative: "+Inf" is the total. Null if a reset made the counts meaningless.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Buckets".
 */
export type Buckets = {
  readonly [k: string]: number;
} | null;
/**
 * Prometheus labels of the series, excluding `le` and `quantile`. Null or absent if the series has no labels.
 */
export type Labels1 = {
  readonly [k: string]: string;
} | null;

/**
 * server_metrics_export.json, schema 1.1: statistics of inference servers' metrics during a benchmark. Additional fields are accepted.
 */
export interface ServerMetricsDocument {
  /**
   * Version of the file's layout.
   */
  readonly schema_version: '1.0' | '1.1';
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
  readonly summary: ServerMetricsSummary;
  /**
   * Phase that the statistics in `metrics` cover: profiling.
   */
  readonly metrics_phase?: 'profiling' | 'warmup';
  /**
   * Metrics by name, sorted. Counters are named without `_total`.
   */
  readonly metrics: {
    readonly [k: string]: Metric;
  };
  /**
   * Statistics of the warm-up phase, by metric name. Absent without a warm-up.
   */
  readonly warmup_metrics?: {
    readonly [k: string]: Metric;
  };
  /**
   * Configuration of the run.
   */
  readonly input_config: Readonly<Record<string, unknown>>;
  /**
   * Options of the run that AIPerf's configuration does not have, such as the scrape interval; and in server_definitions, the definitions of servers that the user added, each in the schema server-definition.1.
   */
  readonly servelens_config?: Readonly<Record<string, unknown>>;
  /**
   * Metrics that are computed from others by formulas, such as hit rates, of each endpoint and of all endpoints together. Absent if no server is of a known kind.
   */
  readonly derived?: readonly DerivedMetric[];
}
/**
 * Summary of the collection: times, endpoints and failures.
 */
export interface ServerMetricsSummary {
  /**
   * URLs of all requested endpoints, reached or not.
   */
  readonly endpoints_configured: readonly string[];
  /**
   * URLs of the endpoints that returned data.
   */
  readonly endpoints_successful: readonly string[];
  /**
   * Start of the collection as an ISO 8601 time, in UTC with a trailing Z. AIPerf writes local time without a time zone.
   */
  readonly start_time: string;
  /**
   * End of the collection as an ISO 8601 time.
   */
  readonly end_time: string;
  /**
   * Start of the profiling period, inclusive. Increases of counters and histograms are measured from the last sample before this time.
   */
  readonly profiling_start_ns?: bigint;
  /**
   * End of the profiling period. The period also includes the closing scrape, which is the first scrape after this time.
   */
  readonly profiling_end_ns?: bigint;
  /**
   * Whether the run was interrupted.
   */
  readonly was_cancelled?: boolean;
  /**
   * Present if the statistics cover AIPerf's window, from the first to the last scrape that is tagged as profiling, instead of the period from profiling_start_ns to profiling_end_ns.
   */
  readonly statistics_window?: 'aiperf';
  readonly exported_window?: ExportedWindow;
  /**
   * Marks set with `servelens mark` during the run, in chronological order.
   */
  readonly marks?: readonly Mark[];
  /**
   * Waits at the start and end of the profiling period for server counters to stop changing. Present with `--settle`.
   */
  readonly settling?: readonly Settling[];
  readonly scraping?: Scraping;
  /**
   * The sources that endpoints were discovered from, such as a Kubernetes namespace. Absent if the run has none.
   */
  readonly sources?: readonly EndpointSource[];
  /**
   * Parts of the profiling period of at least 2 s in which the servers processed no requests: gauges of running and waiting requests were 0, and counters of tokens and requests did not change. Absent if no server of a known kind returned data, or if a server has no gauge of its requests in flight.
   */
  readonly idle_periods?: readonly IdlePeriod[];
  /**
   * Metrics of known servers that no figure uses, because they differ from the known versions of the server. Absent if there are none.
   */
  readonly unusable_metrics?: readonly UnusableMetric[];
  readonly data_loss?: DataLoss;
  readonly import?: Import;
  /**
   * Details of each endpoint, by URL.
   */
  readonly endpoint_info: {
    readonly [k: string]: EndpointInfo;
  };
  /**
   * Time range of each phase, by its name: profiling, and warmup if there was a warm-up.
   */
  readonly phase_time_ranges?: {
    readonly [k: string]: PhaseTimeRange;
  };
  /**
   * The shards that this run was merged from (`servelens merge`). Absent for a run that is not merged.
   */
  readonly shards?: readonly MergedShard[];
}
/**
 * Profiling period of the original run. Present only if the document is a re-export of another time range; profiling_start_ns and profiling_end_ns then describe that range.
 */
export interface ExportedWindow {
  /**
   * Start of the original profiling period.
   */
  readonly run_profiling_start_ns: bigint;
  /**
   * End of the original profiling period.
   */
  readonly run_profiling_end_ns: bigint;
}
/**
 * A mark set by another program or a user during the run.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Mark".
 */
export interface Mark {
  /**
   * Time at which the mark was received. The phase starts or ends later, when the barrier scrape has completed: at profiling_start_ns or profiling_end_ns.
   */
  readonly time_ns: bigint;
  /**
   * Kind of mark: profiling-start, profiling-end or note.
   */
  readonly kind: string;
  /**
   * Text of the mark.
   */
  readonly text: string;
  /**
   * Name given by the sender.
   */
  readonly sender: string;
}
/**
 * A wait for the counters of all servers to stop changing, at one end of the profiling period.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Settling".
 */
export interface Settling {
  /**
   * Boundary of the profiling period: `start` or `end`.
   */
  readonly boundary: string;
  /**
   * Outcome: settled, timed_out (counters were still changing at the time limit, or the limit was too short to determine whether they were; then `changing_metrics` is absent), interrupted, or no_endpoints (no server to watch).
   */
  readonly outcome: string;
  /**
   * Start of the wait.
   */
  readonly start_ns: bigint;
  /**
   * Duration of the wait, in seconds.
   */
  readonly seconds: number;
  /**
   * Time limit of the wait, in seconds.
   */
  readonly limit_seconds: number;
  /**
   * Names of up to five metrics that were still changing.
   */
  readonly changing_metrics?: readonly string[];
}
/**
 * Cost of the collection on this machine.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Scraping".
 */
export interface Scraping {
  /**
   * Number of scrapes of all endpoints, failed ones included.
   */
  readonly scrapes: number;
  /**
   * CPU time of the collecting process (user and system) from the first probe to the last scrape, in milliseconds. Includes requests, parsing, storage, journal and progress display; excludes process start, exports and the wrapped command.
   */
  readonly cpu_ms: number;
  /**
   * `cpu_ms` divided by `scrapes`.
   */
  readonly cpu_ms_per_scrape?: number;
}
/**
 * A source of endpoints, and what was read from it.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "EndpointSource".
 */
export interface EndpointSource {
  /**
   * Kind and place of the source, such as kubernetes namespace "llm".
   */
  readonly name: string;
  /**
   * Number of lists of endpoints that were read: the first one and one after each change.
   */
  readonly lists: number;
  /**
   * Number of times the list could not be read or was not current.
   */
  readonly problems: number;
  /**
   * Description of the last problem. Absent if there was none.
   */
  readonly last_problem?: string;
}
/**
 * A part of the profiling period in which the servers processed no requests.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "IdlePeriod".
 */
export interface IdlePeriod {
  /**
   * Start of the idle period.
   */
  readonly start_ns: bigint;
  /**
   * End of the idle period.
   */
  readonly end_ns: bigint;
}
/**
 * A metric that no figure uses, such as one with another type than expected.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "UnusableMetric".
 */
export interface UnusableMetric {
  /**
   * URL of the endpoint.
   */
  readonly endpoint_url: string;
  /**
   * The name of the metric, and why it is not used, as a sentence.
   */
  readonly reason: string;
}
/**
 * Scrapes and data that are missing from the journal that the run was recovered from. Absent if nothing is known to be missing.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "DataLoss".
 */
export interface DataLoss {
  /**
   * Minimum number of scrapes that were lost because the journal is damaged: scrapes that are missing, encoded as a difference from a lost scrape, or that have values of lost series.
   */
  readonly scrapes_lost: number;
  /**
   * Number of scrapes that could not be written to the journal during the run, for example because the disk was full.
   */
  readonly scrapes_unwritten: number;
  /**
   * Number of places in the journal without a readable record.
   */
  readonly unreadable_places: number;
  /**
   * Total size of these places.
   */
  readonly unreadable_bytes: number;
}
/**
 * Source of a run that was imported by `servelens import`, and what the source cannot provide. Absent in other runs.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Import".
 */
export interface Import {
  /**
   * Kind of the source: remote_read, victoria_metrics or query_range (APIs), metrics_pages (a folder of metrics pages), or jsonl (a JSONL export).
   */
  readonly source: string;
  /**
   * Base URL of the API, without credentials. Absent for files.
   */
  readonly url?: string;
  /**
   * Name of the imported folder or file, without its parent folders. Absent for APIs.
   */
  readonly path?: string;
  /**
   * Selectors of the imported series. Absent for files.
   */
  readonly selectors?: readonly string[];
  /**
   * Start of the requested range; for files, the time of the first sample.
   */
  readonly from_ns: bigint;
  /**
   * End of the requested range; for files, the time of the last sample.
   */
  readonly to_ns: bigint;
  /**
   * Step of range queries. Absent if samples were imported as stored.
   */
  readonly step_seconds?: number;
  /**
   * Number of imported samples. A histogram has one sample per bucket, and two for its sum and count.
   */
  readonly samples: number;
  /**
   * Number of metric families of all endpoints by the origin of their type: metadata (declared by the server), known_server (the type in known versions of the server), name (inferred from names and labels), none (unknown). Absent for files.
   */
  readonly family_types?: {
    /**
     * Number of metric families.
     */
    readonly [k: string]: number;
  };
  /**
   * What the source cannot provide, one sentence each.
   */
  readonly limitations: readonly string[];
  /**
   * Labels of the target of each endpoint, by the URL of the endpoint. Absent for files.
   */
  readonly targets?: {
    readonly [k: string]: ImportedTarget;
  };
}
/**
 * Labels that the source added to all series of an endpoint.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "ImportedTarget".
 */
export interface ImportedTarget {
  /**
   * Label `job`; empty without this label.
   */
  readonly job: string;
  /**
   * Label `instance`; empty without this label.
   */
  readonly instance: string;
  readonly labels: Labels;
}
/**
 * Details of one endpoint. An endpoint that never returned data has total_fetches 0, and 0 or nothing for its times.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "EndpointInfo".
 */
export interface EndpointInfo {
  /**
   * Number of scrapes that returned data.
   */
  readonly total_fetches: number;
  /**
   * Time of the first scrape that returned data.
   */
  readonly first_fetch_ns?: bigint;
  /**
   * Time of the last scrape that returned data.
   */
  readonly last_fetch_ns?: bigint;
  /**
   * Mean time from request to first byte, in milliseconds.
   */
  readonly avg_fetch_latency_ms?: number;
  /**
   * Number of scrapes whose body differed from the previous one.
   */
  readonly unique_updates?: number;
  /**
   * Time of the first scrape whose body differed from the previous one.
   */
  readonly first_update_ns?: bigint;
  /**
   * Time of the last scrape whose body differed from the previous one.
   */
  readonly last_update_ns?: bigint;
  /**
   * Time from the first to the last update, in seconds.
   */
  readonly duration_seconds?: number;
  /**
   * Mean time between updates, in milliseconds.
   */
  readonly avg_update_interval_ms?: number;
  /**
   * Median time between updates, in milliseconds. Null or absent if there are too few updates.
   */
  readonly median_update_interval_ms?: number | null;
  /**
   * Status at the end of the run: active (the last scrape succeeded), failing (the last scrape failed, earlier ones succeeded), flapping (at least five recoveries within the last minute), no_data (no scrape succeeded), disabled (the response was not in Prometheus format), duplicate (another endpoint serves the same metrics) or removed (its source no longer lists it).
   */
  readonly status?: string;
  /**
   * Description of the last failure, such as "refused the connection". Null if no scrape failed.
   */
  readonly last_error?: string | null;
  /**
   * Reason code of the last failure, such as refused, tls_expired, unauthorized or too_many_samples; see docs/collect.md. Absent if no scrape failed.
   */
  readonly last_error_reason?: string;
  /**
   * Number of failed scrapes.
   */
  readonly scrapes_failed?: number;
  /**
   * Send time of the first failed scrape.
   */
  readonly first_failure_ns?: bigint;
  /**
   * Send time of the last failed scrape.
   */
  readonly last_failure_ns?: bigint;
  /**
   * Number of scrapes skipped because the previous one was still in flight, or because the collecting process was busy.
   */
  readonly scrapes_late?: number;
  /**
   * Number of samples dropped because they were NaN or infinite.
   */
  readonly samples_dropped?: number;
  /**
   * Time of the barrier scrape at the start of the profiling period, from which increases of counters and histograms are measured. Absent if the endpoint did not respond in time.
   */
  readonly baseline_ns?: bigint;
  /**
   * Time of the barrier scrape at the end of the profiling period, which closes the period. Absent if the endpoint did not respond in time.
   */
  readonly closing_ns?: bigint;
  /**
   * Time between profiling_start_ns and the reference sample of counters and histograms, in milliseconds. The reference sample is the sample at `baseline_ns` or, if that is absent, the last sample before the start. Changes during this time may be attributed to the wrong phase.
   */
  readonly start_slack_ms?: number;
  /**
   * Time between profiling_end_ns and the last sample of the period, in milliseconds. The last sample is the sample at `closing_ns` or, if that is absent, the next sample or the last one of the run.
   */
  readonly end_slack_ms?: number;
  /**
   * Median duration of a scrape from request to last byte, in milliseconds, accurate to 1%. Includes scrapes that succeeded or timed out.
   */
  readonly scrape_latency_p50_ms?: number;
  /**
   * 99th percentile of the duration of a scrape, as in scrape_latency_p50_ms.
   */
  readonly scrape_latency_p99_ms?: number;
  /**
   * Mean size of a body as transferred, in bytes, without headers. Successful scrapes only.
   */
  readonly bytes_per_scrape?: number;
  /**
   * Total size of all bodies after decompression, in bytes. Successful scrapes only.
   */
  readonly bytes_decoded?: number;
  /**
   * Mean size of a body after decompression, in bytes. Successful scrapes only.
   */
  readonly decoded_bytes_per_scrape?: number;
  /**
   * Configured scrape interval, in milliseconds.
   */
  readonly configured_interval_ms?: number;
  /**
   * Scrape interval at the end of the run, in milliseconds. Longer than configured_interval_ms if scrapes take longer than that.
   */
  readonly effective_interval_ms?: number;
  /**
   * Longest scrape interval of the run, in milliseconds.
   */
  readonly max_interval_ms?: number;
  /**
   * Number of times the scrape interval was increased.
   */
  readonly interval_backoffs?: number;
  /**
   * Requested URL. Present if the metrics were found at another URL, or if an earlier endpoint of the run has this URL, so that the key of this endpoint ends in #2.
   */
  readonly configured_url?: string;
  /**
   * Identity of the process that the source of the endpoint states, such as the UID of a pod. An endpoint with another identity is another endpoint, even if its URL is the same. Absent if no source states it.
   */
  readonly identity?: string;
  /**
   * Labels of the target, from its source or from the configuration file, such as pod and node. Absent if it has none.
   */
  readonly labels?: {
    readonly [k: string]: string;
  };
  /**
   * Time at which a source added the endpoint to the active run. Its period starts at its first sample. Absent if the endpoint was present at the start of the run.
   */
  readonly added_ns?: bigint;
  /**
   * Time at which the source of the endpoint stopped listing it. It was not scraped afterwards. Absent if the endpoint was present at the end of the run.
   */
  readonly removed_ns?: bigint;
  /**
   * Times during which the source of the endpoint did not list it, so that it was not scraped. At most 100.
   */
  readonly absences?: readonly Absence[];
  /**
   * Number of absences that are not listed.
   */
  readonly absences_omitted?: number;
  /**
   * The versions that the servers on the endpoint state in their metrics. Absent if none does: a version is never guessed.
   */
  readonly server_versions?: {
    /**
     * Display name of the server, such as llm-d EPP.
     */
    readonly server: string;
    /**
     * The version as the server spells it, such as v0.9.0.
     */
    readonly version: string;
  }[];
  /**
   * Number of lines dropped because they could not be parsed, over all scrapes.
   */
  readonly lines_dropped?: number;
  /**
   * Total size of all bodies as transferred, in bytes.
   */
  readonly bytes_received?: number;
  /**
   * Outages, each a sequence of failed scrapes. Limited to the first 100.
   */
  readonly outages?: readonly Outage[];
  /**
   * Number of outages not listed in `outages`. Absent if all are listed.
   */
  readonly outages_omitted?: number;
  /**
   * Times without samples that overlap the profiling period: at least 2 s, and at least 4 times the usual interval between samples. The server may not have responded, or scrapes were delayed on this machine. Limited to the first 100. Absent if empty.
   */
  readonly gaps?: readonly SampleGap[];
  /**
   * Number of gaps not listed in `gaps`.
   */
  readonly gaps_omitted?: number;
  /**
   * Resets of counters, such as after a restart of the server. Limited to the first 100. Absent if empty.
   */
  readonly resets?: readonly Reset[];
  /**
   * Number of resets not listed in `resets`.
   */
  readonly resets_omitted?: number;
  /**
   * Counters and histograms that first appeared during the period, but may have existed before, by reason. The value of their first sample is not counted. Absent if empty.
   */
  readonly unknown_starts?: readonly UnknownStarts[];
  /**
   * Changes of the IP address that served the metrics. Limited to the first 100. Absent if empty.
   */
  readonly address_changes?: readonly AddressChange[];
  /**
   * Number of address changes not listed in `address_changes`.
   */
  readonly address_changes_omitted?: number;
}
/**
 * A time during which the source of an endpoint did not list it.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Absence".
 */
export interface Absence {
  /**
   * Time of the list without the endpoint.
   */
  readonly start_ns: bigint;
  /**
   * Time of the first later list with the endpoint.
   */
  readonly end_ns: bigint;
}
/**
 * A sequence of failed scrapes.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Outage".
 */
export interface Outage {
  /**
   * Send time of the first failed scrape.
   */
  readonly start_ns: bigint;
  /**
   * Time of the next successful scrape. Absent if none succeeded.
   */
  readonly end_ns?: bigint;
  /**
   * Number of failed scrapes.
   */
  readonly scrapes: number;
  /**
   * Reason code of the last failure, such as refused, timeout, server_error or not_prometheus; see docs/collect.md.
   */
  readonly reason: string;
  /**
   * Description of the last failure, such as "refused the connection".
   */
  readonly message: string;
}
/**
 * A time without samples of an endpoint.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "SampleGap".
 */
export interface SampleGap {
  /**
   * Time of the last sample before the gap.
   */
  readonly start_ns: bigint;
  /**
   * Time of the first sample after the gap.
   */
  readonly end_ns: bigint;
}
/**
 * A reset of the counters of an endpoint.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Reset".
 */
export interface Reset {
  /**
   * Time of the first scrape after the reset.
   */
  readonly at_ns: bigint;
  /**
   * Time of the last scrape before the reset.
   */
  readonly previous_ns: bigint;
  /**
   * Number of counters and histograms that decreased. 0 if only the start time of the process or its uptime changed.
   */
  readonly counters: number;
  /**
   * True if the start time of the process changed, or its uptime fell. Absent otherwise.
   */
  readonly process_restarted?: boolean;
}
/**
 * Series of an endpoint that first appeared during the period, without evidence that they started from 0.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "UnknownStarts".
 */
export interface UnknownStarts {
  /**
   * Reason: `scrape_failed` (a scrape failed between the start of the period and the first sample), `server_changed` (the server restarted, counters were reset, or its address changed in this time), `intermittent` (the series was absent again later), `process_joined` (a label names a worker or process that was not on the page before, and whose age is unknown), `created_before` (its creation time, or the start of such a process, is before the last scrape without it), or `no_evidence` (scrapes were incomplete or are not recorded).
   */
  readonly reason: string;
  /**
   * Number of series.
   */
  readonly series: number;
}
/**
 * A change of the IP address that served an endpoint's metrics.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "AddressChange".
 */
export interface AddressChange {
  /**
   * Time of the first scrape from the new address.
   */
  readonly at_ns: bigint;
  /**
   * Previous address.
   */
  readonly from: string;
  /**
   * New address.
   */
  readonly to: string;
}
/**
 * Time range of a phase. A warm-up includes the scrape after its end.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "PhaseTimeRange".
 */
export interface PhaseTimeRange {
  /**
   * Start of the phase.
   */
  readonly start_ns?: bigint | null;
  /**
   * End of the phase.
   */
  readonly end_ns?: bigint | null;
}
/**
 * A shard that a merged run consists of.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
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
/**
 * A gauge or a metric of unknown type, with the series of all endpoints.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "GaugeMetric".
 */
export interface GaugeMetric {
  /**
   * Type declared by the server; `unknown` if it declared none or `untyped`.
   */
  readonly type: 'gauge' | 'unknown';
  /**
   * HELP text of the metric.
   */
  readonly description: string;
  /**
   * Unit inferred from HELP text and name. Null or absent if none can be inferred.
   */
  readonly unit?: string | null;
  /**
   * Series, one per endpoint and label set.
   */
  readonly series: readonly GaugeSeries[];
}
/**
 * Statistics of a gauge or a metric of unknown type, for one endpoint and label set.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "GaugeSeries".
 */
export interface GaugeSeries {
  /**
   * URL of the endpoint that the series was scraped from.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  readonly stats: GaugeStats;
  /**
   * Timeslices of the period, in chronological order. Present with `--slice-duration`.
   */
  readonly timeslices?: readonly GaugeTimeslice[];
}
/**
 * Exact statistics of all samples of a gauge in the period.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "GaugeStats".
 */
export interface GaugeStats {
  /**
   * Arithmetic mean of all samples, not weighted by time.
   */
  readonly avg: number;
  /**
   * Smallest sample.
   */
  readonly min: number;
  /**
   * Largest sample.
   */
  readonly max: number;
  /**
   * Sample standard deviation (ddof 1); 0 with one sample.
   */
  readonly std: number;
  /**
   * 1st percentile, interpolated linearly between samples.
   */
  readonly p1: number;
  /**
   * 5th percentile, interpolated linearly between samples.
   */
  readonly p5: number;
  /**
   * 10th percentile, interpolated linearly between samples.
   */
  readonly p10: number;
  /**
   * 25th percentile, interpolated linearly between samples.
   */
  readonly p25: number;
  /**
   * 50th percentile, interpolated linearly between samples.
   */
  readonly p50: number;
  /**
   * 75th percentile, interpolated linearly between samples.
   */
  readonly p75: number;
  /**
   * 90th percentile, interpolated linearly between samples.
   */
  readonly p90: number;
  /**
   * 95th percentile, interpolated linearly between samples.
   */
  readonly p95: number;
  /**
   * 99th percentile, interpolated linearly between samples.
   */
  readonly p99: number;
}
/**
 * Statistics of a gauge in one timeslice.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "GaugeTimeslice".
 */
export interface GaugeTimeslice {
  /**
   * Start of the timeslice, as Unix time in nanoseconds.
   */
  readonly start_ns: bigint;
  /**
   * End of the timeslice, as Unix time in nanoseconds.
   */
  readonly end_ns: bigint;
  /**
   * False if the period ended during the timeslice. Absent otherwise.
   */
  readonly is_complete?: boolean;
  /**
   * Mean of the samples in the timeslice.
   */
  readonly avg: number;
  /**
   * Smallest sample in the timeslice.
   */
  readonly min: number;
  /**
   * Largest sample in the timeslice.
   */
  readonly max: number;
}
/**
 * A counter, with the series of all endpoints.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "CounterMetric".
 */
export interface CounterMetric {
  /**
   * Type declared by the server; `unknown` if it declared none or `untyped`.
   */
  readonly type: 'counter';
  /**
   * HELP text of the metric.
   */
  readonly description: string;
  /**
   * Unit inferred from HELP text and name. Null or absent if none can be inferred.
   */
  readonly unit?: string | null;
  /**
   * Series, one per endpoint and label set.
   */
  readonly series: readonly CounterSeries[];
}
/**
 * Statistics of a counter, for one endpoint and label set.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "CounterSeries".
 */
export interface CounterSeries {
  /**
   * URL of the endpoint that the series was scraped from.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  readonly stats: CounterStats;
  /**
   * Timeslices of the period, in chronological order. Present with `--slice-duration`.
   */
  readonly timeslices?: readonly CounterTimeslice[];
}
/**
 * Statistics of a counter in the period.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "CounterStats".
 */
export interface CounterStats {
  /**
   * Increase over the period: last value minus reference, clamped to 0.
   */
  readonly total: number;
  /**
   * `total` divided by the time between the reference and the last sample, in seconds.
   */
  readonly rate: number;
  /**
   * Mean rate of the complete timeslices. Present with `--slice-duration`.
   */
  readonly rate_avg?: number;
  /**
   * Lowest rate of a complete timeslice. Present with `--slice-duration`.
   */
  readonly rate_min?: number;
  /**
   * Highest rate of a complete timeslice. Present with `--slice-duration`.
   */
  readonly rate_max?: number;
  /**
   * Sample standard deviation (ddof 1) of the rates of the complete timeslices. Present with `--slice-duration`.
   */
  readonly rate_std?: number;
  /**
   * Number of resets of the counter during the period, for example because the server restarted. Present if there was a reset.
   */
  readonly resets?: number;
  /**
   * True if the series was created during the period, with the value 0. Absent if it existed before, or if that is unknown.
   */
  readonly created_in_run?: true;
  /**
   * Increase over the period, corrected for resets, as in Prometheus' increase() without extrapolation. Counts from 0 with `created_in_run`. Present together with `resets` or `created_in_run`.
   */
  readonly increase?: number;
  /**
   * `increase` divided by the length of the endpoint's period, in seconds. The period ends with the last scrape of an endpoint that stopped responding. Present together with `increase`.
   */
  readonly increase_rate?: number;
  /**
   * Number of times the value decreased, for a counter that behaves like a gauge: it decreased at least 3 times, and never together with other counters or with a restart of the server. The decreases are not resets.
   */
  readonly decreases?: number;
}
/**
 * Statistics of a counter in one timeslice.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "CounterTimeslice".
 */
export interface CounterTimeslice {
  /**
   * Start of the timeslice, as Unix time in nanoseconds.
   */
  readonly start_ns: bigint;
  /**
   * End of the timeslice, as Unix time in nanoseconds.
   */
  readonly end_ns: bigint;
  /**
   * False if the period ended during the timeslice. Absent otherwise.
   */
  readonly is_complete?: boolean;
  /**
   * Increase in the timeslice.
   */
  readonly total: number;
  /**
   * Increase per second.
   */
  readonly rate: number;
  /**
   * Increase in the timeslice, corrected for resets. Present together with `resets`.
   */
  readonly increase?: number;
  /**
   * Increase per second, with the counter interpolated at the start and the end of the timeslice and corrected for resets. It does not depend on the number of scrapes in the timeslice, in contrast to `rate`. Absent if it equals `rate`, and if `is_gap` is true.
   */
  readonly increase_rate?: number;
  /**
   * Number of resets between samples in or around the timeslice. Absent without a reset.
   */
  readonly resets?: number;
  /**
   * True if the timeslice is before the first sample, after the last sample, or in a gap between samples that is longer than two timeslices: its rate is unknown. Absent otherwise.
   */
  readonly is_gap?: boolean;
}
/**
 * A histogram, with the series of all endpoints.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "HistogramMetric".
 */
export interface HistogramMetric {
  /**
   * Type declared by the server; `unknown` if it declared none or `untyped`.
   */
  readonly type: 'histogram';
  /**
   * HELP text of the metric.
   */
  readonly description: string;
  /**
   * Unit inferred from HELP text and name. Null or absent if none can be inferred.
   */
  readonly unit?: string | null;
  /**
   * Series, one per endpoint and label set.
   */
  readonly series: readonly HistogramSeries[];
}
/**
 * Statistics of a histogram, for one endpoint and label set.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "HistogramSeries".
 */
export interface HistogramSeries {
  /**
   * URL of the endpoint that the series was scraped from.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  readonly stats: HistogramStats;
  readonly buckets?: Buckets;
  readonly percentile_bounds?: PercentileBounds;
  readonly percentile_warnings?: PercentileWarnings;
  /**
   * Timeslices of the period, in chronological order. Present with `--slice-duration`.
   */
  readonly timeslices?: readonly HistogramTimeslice[];
  /**
   * Timeslices with a reset that `timeslices` does not contain, because the count or the sum falls in them. Their observations are in `increase`. Absent if there are none.
   */
  readonly reset_timeslices?: readonly HistogramTimeslice[];
}
export interface HistogramStats1 {
  /**
   * Number of observations in the period.
   */
  readonly count: number;
  /**
   * Sum of the observations. Absent if the server exposes no `_sum`.
   */
  readonly sum?: number;
  /**
   * Exact mean: `sum` divided by `count`.
   */
  readonly avg?: number;
  /**
   * Observations per second.
   */
  readonly count_rate?: number;
  /**
   * Increase of the sum per second.
   */
  readonly sum_rate?: number;
  /**
   * 1st percentile, estimated from the buckets.
   */
  readonly p1_estimate?: number;
  /**
   * 5th percentile, estimated from the buckets.
   */
  readonly p5_estimate?: number;
  /**
   * 10th percentile, estimated from the buckets.
   */
  readonly p10_estimate?: number;
  /**
   * 25th percentile, estimated from the buckets.
   */
  readonly p25_estimate?: number;
  /**
   * 50th percentile, estimated from the buckets.
   */
  readonly p50_estimate?: number;
  /**
   * 75th percentile, estimated from the buckets.
   */
  readonly p75_estimate?: number;
  /**
   * 90th percentile, estimated from the buckets.
   */
  readonly p90_estimate?: number;
  /**
   * 95th percentile, estimated from the buckets.
   */
  readonly p95_estimate?: number;
  /**
   * 99th percentile, estimated from the buckets.
   */
  readonly p99_estimate?: number;
  /**
   * Number of resets of the histogram within the period. Present if there was a reset.
   */
  readonly resets?: number;
  /**
   * True if the histogram was created during the period, without observations. Absent if it existed before, or if that is unknown.
   */
  readonly created_in_run?: true;
  readonly increase?: HistogramIncrease;
}
/**
 * Statistics of all observations in the period, corrected for resets. Counts from 0 with `created_in_run`. Present together with `resets` or `created_in_run`.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "HistogramIncrease".
 */
export interface HistogramIncrease {
  /**
   * Number of observations, corrected for resets.
   */
  readonly count: number;
  /**
   * Sum of the observations, corrected for resets.
   */
  readonly sum?: number;
  /**
   * Mean: `sum` divided by `count`.
   */
  readonly avg?: number;
  /**
   * `count` divided by the length of the endpoint's period, in seconds. The period ends with the last scrape of an endpoint that stopped responding.
   */
  readonly count_rate?: number;
  /**
   * `sum` divided by the length of the endpoint's period, in seconds. The period ends with the last scrape of an endpoint that stopped responding.
   */
  readonly sum_rate?: number;
  readonly buckets?: Buckets;
  /**
   * 1st percentile, estimated from the buckets.
   */
  readonly p1_estimate?: number;
  /**
   * 5th percentile, estimated from the buckets.
   */
  readonly p5_estimate?: number;
  /**
   * 10th percentile, estimated from the buckets.
   */
  readonly p10_estimate?: number;
  /**
   * 25th percentile, estimated from the buckets.
   */
  readonly p25_estimate?: number;
  /**
   * 50th percentile, estimated from the buckets.
   */
  readonly p50_estimate?: number;
  /**
   * 75th percentile, estimated from the buckets.
   */
  readonly p75_estimate?: number;
  /**
   * 90th percentile, estimated from the buckets.
   */
  readonly p90_estimate?: number;
  /**
   * 95th percentile, estimated from the buckets.
   */
  readonly p95_estimate?: number;
  /**
   * 99th percentile, estimated from the buckets.
   */
  readonly p99_estimate?: number;
}
/**
 * Guaranteed lower and upper bound of each percentile, as [low, high]. They apply to the percentiles in `increase` if it is present. Null means unbounded. Absent if there are negative observations.
 */
export interface PercentileBounds {
  /**
   * Bounds of the 1st percentile.
   */
  readonly p1?: readonly [low: number | null, high: number | null];
  /**
   * Bounds of the 5th percentile.
   */
  readonly p5?: readonly [low: number | null, high: number | null];
  /**
   * Bounds of the 10th percentile.
   */
  readonly p10?: readonly [low: number | null, high: number | null];
  /**
   * Bounds of the 25th percentile.
   */
  readonly p25?: readonly [low: number | null, high: number | null];
  /**
   * Bounds of the 50th percentile.
   */
  readonly p50?: readonly [low: number | null, high: number | null];
  /**
   * Bounds of the 75th percentile.
   */
  readonly p75?: readonly [low: number | null, high: number | null];
  /**
   * Bounds of the 90th percentile.
   */
  readonly p90?: readonly [low: number | null, high: number | null];
  /**
   * Bounds of the 95th percentile.
   */
  readonly p95?: readonly [low: number | null, high: number | null];
  /**
   * Bounds of the 99th percentile.
   */
  readonly p99?: readonly [low: number | null, high: number | null];
}
/**
 * Reasons to treat a percentile estimate with caution, by percentile. above_last_bound: the estimate is above the highest finite bucket bound. wide_bounds: the distance between the guaranteed bounds exceeds the estimate. Percentiles without a warning are absent.
 */
export interface PercentileWarnings {
  /**
   * Reason to treat the estimate of the 1st percentile with caution.
   */
  readonly p1?: 'above_last_bound' | 'wide_bounds';
  /**
   * Reason to treat the estimate of the 5th percentile with caution.
   */
  readonly p5?: 'above_last_bound' | 'wide_bounds';
  /**
   * Reason to treat the estimate of the 10th percentile with caution.
   */
  readonly p10?: 'above_last_bound' | 'wide_bounds';
  /**
   * Reason to treat the estimate of the 25th percentile with caution.
   */
  readonly p25?: 'above_last_bound' | 'wide_bounds';
  /**
   * Reason to treat the estimate of the 50th percentile with caution.
   */
  readonly p50?: 'above_last_bound' | 'wide_bounds';
  /**
   * Reason to treat the estimate of the 75th percentile with caution.
   */
  readonly p75?: 'above_last_bound' | 'wide_bounds';
  /**
   * Reason to treat the estimate of the 90th percentile with caution.
   */
  readonly p90?: 'above_last_bound' | 'wide_bounds';
  /**
   * Reason to treat the estimate of the 95th percentile with caution.
   */
  readonly p95?: 'above_last_bound' | 'wide_bounds';
  /**
   * Reason to treat the estimate of the 99th percentile with caution.
   */
  readonly p99?: 'above_last_bound' | 'wide_bounds';
}
/**
 * Statistics of a histogram in one timeslice.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "HistogramTimeslice".
 */
export interface HistogramTimeslice {
  /**
   * Start of the timeslice, as Unix time in nanoseconds.
   */
  readonly start_ns: bigint;
  /**
   * End of the timeslice, as Unix time in nanoseconds.
   */
  readonly end_ns: bigint;
  /**
   * False if the period ended during the timeslice. Absent otherwise.
   */
  readonly is_complete?: boolean;
  /**
   * Number of observations in the timeslice.
   */
  readonly count: number;
  /**
   * Sum of the observations in the timeslice.
   */
  readonly sum?: number;
  /**
   * Mean: `sum` divided by `count`. 0 if there are no observations.
   */
  readonly avg?: number;
  readonly buckets?: Buckets;
  readonly increase?: HistogramIncrease;
  /**
   * Observations per second, with the count interpolated at the start and the end of the timeslice and corrected for resets. Absent if `is_gap` is true.
   */
  readonly count_rate?: number;
  /**
   * Number of resets between samples in or around the timeslice. Absent without a reset.
   */
  readonly resets?: number;
  /**
   * True if the timeslice is before the first sample, after the last sample, or in a gap between samples that is longer than two timeslices: its rate is unknown. Absent otherwise.
   */
  readonly is_gap?: boolean;
}
/**
 * The value of a formula over the profiling period, or the reason why it is unknown. Formulas whose metrics a server does not export are omitted.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "DerivedMetric".
 */
export interface DerivedMetric {
  /**
   * Name of the metric.
   */
  readonly name: string;
  /**
   * The formula, over roles of metrics; see docs/derived.md.
   */
  readonly formula: string;
  /**
   * Unit of the value: ratio, factor, a unit such as tokens, or a quotient such as tokens/steps.
   */
  readonly unit: string;
  /**
   * URL of the endpoint; null for the value of all endpoints together.
   */
  readonly endpoint_url: string | null;
  readonly labels?: Labels1;
  /**
   * The value; absent if it is unknown.
   */
  readonly value?: number;
  /**
   * The reason why the value is unknown; absent if it is known.
   */
  readonly missing?: string;
  /**
   * Whether the value is computed only from counters and histograms of one endpoint, which are scraped at one time. Gauges are sampled, and endpoints are scraped at different times. Absent if the value is unknown.
   */
  readonly is_exact?: boolean;
  /**
   * Values over time. Present with `--slice-duration`.
   */
  readonly timeslices?: readonly DerivedSlice[];
}
/**
 * The value of a derived metric in a timeslice.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "DerivedSlice".
 */
export interface DerivedSlice {
  /**
   * Start of the slice, inclusive.
   */
  readonly start_ns: bigint;
  /**
   * End of the slice.
   */
  readonly end_ns: bigint;
  /**
   * False for a last slice that is shorter because the run ended; absent otherwise.
   */
  readonly is_complete?: boolean;
  /**
   * The value in the slice.
   */
  readonly value: number;
}
