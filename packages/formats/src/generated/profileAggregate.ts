// Generated from urn:servelens:schema:profile-aggregate:1.0 by scripts/generate.mjs. Do not edit.

/**
 * profile_export_aiperf_aggregate.json, schema 1.0: statistics of repeated runs, with confidence intervals of their means. Additional fields are accepted.
 */
export interface ProfileAggregate {
  /**
   * Version of the file's layout.
   */
  readonly schema_version: '1.0';
  /**
   * Version of AIPerf that the file is compatible with. In files of AIPerf and of earlier versions of Servelens, the version of the program that wrote the file.
   */
  readonly aiperf_version?: string | null;
  /**
   * Version of Servelens that recorded the run. Absent if another program recorded it.
   */
  readonly servelens_version?: string;
  readonly metadata: AggregateMetadata;
  /**
   * Statistics over the runs, by `<tag>_<statistic>`, such as `request_latency_p99`.
   */
  readonly metrics: {
    readonly [k: string]: AggregateMetric;
  };
  /**
   * Server metrics of the same runs, by metric name as in server_metrics_export.json. Series present in fewer than two runs are omitted.
   */
  readonly server_metrics?: {
    readonly [k: string]: ServerAggregateMetric;
  };
}
/**
 * Runs that the file summarizes.
 *
 * This interface was referenced by `ProfileAggregate`'s JSON-Schema
 * via the `definition` "AggregateMetadata".
 */
export interface AggregateMetadata {
  /**
   * Identifies the kind of document: `confidence`.
   */
  readonly aggregation_type: 'confidence';
  /**
   * Number of runs started.
   */
  readonly num_profile_runs: number;
  /**
   * Number of runs included in the statistics.
   */
  readonly num_successful_runs: number;
  readonly requests?: RequestCounts;
  /**
   * Failed runs, which are excluded from the statistics.
   */
  readonly failed_runs: readonly FailedRun[];
  /**
   * Confidence level of the intervals, such as 0.95.
   */
  readonly confidence_level?: number;
  /**
   * Names of the successful runs, in order.
   */
  readonly run_labels?: readonly string[];
  /**
   * Whether only one run succeeded, so that there are no confidence intervals.
   */
  readonly single_run?: boolean;
  /**
   * Pause between two runs, in seconds.
   */
  readonly cooldown_seconds?: number;
  readonly convergence?: Convergence;
  /**
   * Whether the series of runs was interrupted. The statistics cover the completed runs.
   */
  readonly was_cancelled?: boolean;
  /**
   * Name of the variation. Present in sweeps.
   */
  readonly variation_label?: string;
  /**
   * Swept values by path in `input_config`. Present in sweeps.
   */
  readonly variation_values?: Readonly<Record<string, unknown>>;
  /**
   * Order of the runs: `repeated` or `independent`. Present in sweeps.
   */
  readonly sweep_mode?: string;
  /**
   * Name of the model. Present in sweeps.
   */
  readonly model?: string;
}
/**
 * Numbers of requests of all started runs by outcome, including runs that are excluded from the statistics. Every request has exactly one outcome.
 *
 * This interface was referenced by `ProfileAggregate`'s JSON-Schema
 * via the `definition` "RequestCounts".
 */
export interface RequestCounts {
  /**
   * Successful requests.
   */
  readonly succeeded: number;
  /**
   * Failed requests, without cancelled requests.
   */
  readonly failed: number;
  /**
   * Requests that the client cancelled.
   */
  readonly cancelled: number;
}
/**
 * A run that failed, and the cause.
 *
 * This interface was referenced by `ProfileAggregate`'s JSON-Schema
 * via the `definition` "FailedRun".
 */
export interface FailedRun {
  /**
   * Name of the run, such as run_0002.
   */
  readonly label: string;
  /**
   * Cause of the failure.
   */
  readonly error?: string | null;
}
/**
 * How far the runs of a variation agree, and whether this ends them early.
 *
 * This interface was referenced by `ProfileAggregate`'s JSON-Schema
 * via the `definition` "Convergence".
 */
export interface Convergence {
  /**
   * Tag of the metric that the rule observes.
   */
  readonly metric: string;
  /**
   * Statistic of the metric in each run. Absent if the rule compares the requests of runs.
   */
  readonly stat?: string;
  /**
   * `ci_width`: width of the confidence interval of the mean divided by the mean. `cv`: coefficient of variation. `distribution`: p-value of a two-sample Kolmogorov-Smirnov test of the last run and all runs before.
   */
  readonly mode: 'ci_width' | 'cv' | 'distribution';
  /**
   * Threshold: the value must be below it, or above it for `distribution`.
   */
  readonly threshold: number;
  /**
   * Number of successful runs that were compared.
   */
  readonly runs: number;
  /**
   * Value that the rule computes; null if fewer than two runs have the metric.
   */
  readonly value: number | null;
  /**
   * Whether the runs have converged.
   */
  readonly converged: boolean;
}
/**
 * Statistics of one metric over the runs.
 *
 * This interface was referenced by `ProfileAggregate`'s JSON-Schema
 * via the `definition` "AggregateMetric".
 */
export interface AggregateMetric {
  /**
   * Mean over the runs.
   */
  readonly mean: number;
  /**
   * Sample standard deviation over the runs (divisor n − 1).
   */
  readonly std: number;
  /**
   * Smallest value of a run.
   */
  readonly min: number;
  /**
   * Largest value of a run.
   */
  readonly max: number;
  /**
   * Coefficient of variation: `std` divided by `mean`. Null if the mean is 0.
   */
  readonly cv?: number | null;
  /**
   * Standard error of the mean: `std` divided by the square root of the number of runs.
   */
  readonly se: number;
  /**
   * Lower end of the confidence interval of the mean.
   */
  readonly ci_low: number;
  /**
   * Upper end of the confidence interval of the mean.
   */
  readonly ci_high: number;
  /**
   * Critical value of Student's t distribution used for the confidence interval. Null in AIPerf's aggregates of a single run.
   */
  readonly t_critical: number | null;
  /**
   * Unit of the values in this block.
   */
  readonly unit: string;
  /**
   * Number of runs that contain this statistic. Present if it is less than num_successful_runs; the confidence interval is based on this number.
   */
  readonly num_runs?: number;
}
/**
 * Statistics of one server metric over the runs.
 *
 * This interface was referenced by `ProfileAggregate`'s JSON-Schema
 * via the `definition` "ServerAggregateMetric".
 */
export interface ServerAggregateMetric {
  /**
   * Type of the metric, as in server_metrics_export.json.
   */
  readonly type: 'gauge' | 'counter' | 'histogram' | 'unknown' | 'info';
  /**
   * Unit of the metric's samples.
   */
  readonly unit?: string | null;
  /**
   * Series of the metric, one per endpoint and label set.
   */
  readonly series: readonly ServerAggregateSeries[];
}
/**
 * Statistics of one series over the runs.
 *
 * This interface was referenced by `ProfileAggregate`'s JSON-Schema
 * via the `definition` "ServerAggregateSeries".
 */
export interface ServerAggregateSeries {
  /**
   * URL of the endpoint.
   */
  readonly endpoint_url: string;
  /**
   * Labels of the series. Null or absent if the series has no labels.
   */
  readonly labels?: {
    readonly [k: string]: string;
  } | null;
  /**
   * Statistics over the runs, by statistic of the series, such as `avg`, `rate` or `p99_estimate`.
   */
  readonly stats: {
    readonly [k: string]: AggregateMetric;
  };
}
