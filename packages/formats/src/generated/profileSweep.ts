// Generated from urn:servelens:schema:profile-sweep:1.0 by scripts/generate.mjs. Do not edit.

/**
 * profile_export_aiperf_sweep.json: a benchmark repeated with different parameters, with the statistics of each combination. Additional fields are accepted.
 */
export interface ProfileSweep {
  /**
   * Version of the file's layout. Absent in AIPerf's files.
   */
  readonly schema_version?: '1.0';
  /**
   * Version of AIPerf that the file is compatible with. In files of AIPerf and of earlier versions of Servelens, the version of the program that wrote the file.
   */
  readonly aiperf_version?: string | null;
  /**
   * Version of Servelens that recorded the run. Absent if another program recorded it.
   */
  readonly servelens_version?: string;
  /**
   * Identifies the kind of document: `sweep`.
   */
  readonly aggregation_type: 'sweep';
  /**
   * Number of runs started, across all variations.
   */
  readonly num_profile_runs: number;
  /**
   * Number of runs included in the statistics.
   */
  readonly num_successful_runs: number;
  /**
   * Failed runs, which are excluded from the statistics.
   */
  readonly failed_runs?: readonly FailedRun[];
  readonly metadata: SweepMetadata;
  /**
   * Variations, in order.
   */
  readonly per_combination_metrics: readonly SweepVariation[];
  /**
   * Variation with the best mean, by objective. Statistical significance is not considered.
   */
  readonly best_configurations?: {
    readonly [k: string]: BestConfiguration;
  };
  /**
   * Parameters of the Pareto-optimal variations: no other variation has a higher request throughput without a higher latency, or a lower latency without a lower request throughput.
   *
   * Items: Parameters of one variation.
   */
  readonly pareto_optimal?: readonly Readonly<Record<string, unknown>>[];
}
/**
 * A run that failed, and the cause.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "FailedRun".
 */
export interface FailedRun {
  /**
   * Name of the variation and the run, such as concurrency_4/run_0002.
   */
  readonly label: string;
  /**
   * Cause of the failure.
   */
  readonly error?: string | null;
}
/**
 * Variations and runs of the sweep.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "SweepMetadata".
 */
export interface SweepMetadata {
  /**
   * UUID of the sweep, as in `run_info` of its runs.
   */
  readonly sweep_id?: string;
  /**
   * Swept parameters.
   */
  readonly sweep_parameters: readonly SweepParameter[];
  /**
   * Number of combinations of the values of all parameters. An interrupted sweep has fewer variations.
   */
  readonly num_combinations: number;
  /**
   * Planned number of runs per variation. Written by earlier versions, instead of `num_trials_per_value`.
   */
  readonly num_trials?: number;
  /**
   * Order of the runs. `repeated`: each variation once, then again. `independent`: all runs of one variation, then the next.
   */
  readonly sweep_mode?: string;
  /**
   * Confidence level of the intervals, such as 0.95.
   */
  readonly confidence_level?: number;
  /**
   * Planned number of runs per variation.
   */
  readonly num_trials_per_value?: number;
  /**
   * Identifies the kind of document, as at the top level: `sweep`.
   */
  readonly aggregation_type?: string;
  /**
   * Pause between two runs, in seconds.
   */
  readonly cooldown_seconds?: number;
  /**
   * Order of the runs. Written by earlier versions, instead of `sweep_mode`.
   */
  readonly iteration_order?: 'repeated' | 'independent';
  /**
   * Whether the sweep was interrupted. The statistics cover the completed runs.
   */
  readonly was_cancelled?: boolean;
}
/**
 * A swept parameter and its values.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "SweepParameter".
 */
export interface SweepParameter {
  /**
   * Name of the parameter, such as concurrency.
   */
  readonly name: string;
  /**
   * Values of the parameter, in order.
   */
  readonly values: readonly unknown[];
}
/**
 * A combination of parameters and its statistics.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "SweepVariation".
 */
export interface SweepVariation {
  /**
   * Parameter values by name.
   */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Index of the variation, from 0, as in `run_info`.
   */
  readonly variation_index?: number;
  /**
   * Name of the variation, as in `run_info`.
   */
  readonly variation_label?: string;
  /**
   * Number of runs of the variation that are included in the statistics.
   */
  readonly num_successful_runs?: number;
  readonly requests?: RequestCounts;
  /**
   * Statistics over the runs. By tag, such as `request_latency`, if each variation has one run; otherwise by `<tag>_<statistic>`, such as `request_latency_p99`. Empty if no run of the variation succeeded.
   */
  readonly metrics: {
    readonly [k: string]: SweepMetric;
  };
  /**
   * Server metrics of the variation's runs, by metric name as in server_metrics_export.json.
   */
  readonly server_metrics?: {
    readonly [k: string]: ServerSweepMetric;
  };
}
/**
 * Numbers of requests of all started runs by outcome, including runs that are excluded from the statistics. Every request has exactly one outcome.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
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
 * Statistics of one metric over the runs of a variation. If each variation has one run, the block also has the statistics over the requests of this run.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "SweepMetric".
 */
export interface SweepMetric {
  /**
   * Mean over the runs of the variation. If there is one run, its value.
   */
  readonly mean: number;
  /**
   * Average over the requests of the run. Present if each variation has one run.
   */
  readonly avg?: number;
  /**
   * Sample standard deviation over the runs (divisor n − 1). 0 if there is one run.
   */
  readonly std?: number;
  /**
   * Smallest value of a run. If there is one run, of its requests.
   */
  readonly min?: number;
  /**
   * Largest value of a run. If there is one run, of its requests.
   */
  readonly max?: number;
  /**
   * Coefficient of variation: `std` divided by `mean`. Null if the mean is 0.
   */
  readonly cv?: number | null;
  /**
   * Standard error of the mean: `std` divided by the square root of the number of runs.
   */
  readonly se?: number;
  /**
   * Lower end of the confidence interval of the mean.
   */
  readonly ci_low?: number;
  /**
   * Upper end of the confidence interval of the mean.
   */
  readonly ci_high?: number;
  /**
   * Critical value of Student's t distribution used for the confidence interval. Null in AIPerf's aggregates of a single run.
   */
  readonly t_critical?: number | null;
  /**
   * Unit of the values in this block.
   */
  readonly unit: string;
  /**
   * Number of runs that contain this statistic. Present if it is less than the number of successful runs of the variation.
   */
  readonly num_runs?: number;
  /**
   * Percentile 1 over the requests of the run. Present if each variation has one run.
   */
  readonly p1?: number;
  /**
   * Percentile 5 over the requests of the run. Present if each variation has one run.
   */
  readonly p5?: number;
  /**
   * Percentile 10 over the requests of the run. Present if each variation has one run.
   */
  readonly p10?: number;
  /**
   * Percentile 25 over the requests of the run. Present if each variation has one run.
   */
  readonly p25?: number;
  /**
   * Percentile 50 over the requests of the run. Present if each variation has one run.
   */
  readonly p50?: number;
  /**
   * Percentile 75 over the requests of the run. Present if each variation has one run.
   */
  readonly p75?: number;
  /**
   * Percentile 90 over the requests of the run. Present if each variation has one run.
   */
  readonly p90?: number;
  /**
   * Percentile 95 over the requests of the run. Present if each variation has one run.
   */
  readonly p95?: number;
  /**
   * Percentile 99 over the requests of the run. Present if each variation has one run.
   */
  readonly p99?: number;
  /**
   * Number of values in the run. Present if each variation has one run.
   */
  readonly count?: number;
  /**
   * Sum over the requests of the run. Present if each variation has one run.
   */
  readonly sum?: number;
}
/**
 * Statistics of one server metric over the runs.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "ServerSweepMetric".
 */
export interface ServerSweepMetric {
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
  readonly series: readonly ServerSweepSeries[];
}
/**
 * Statistics of one series over the runs.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "ServerSweepSeries".
 */
export interface ServerSweepSeries {
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
    readonly [k: string]: SweepMetric;
  };
}
/**
 * Variation with the best mean of one metric.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "BestConfiguration".
 */
export interface BestConfiguration {
  /**
   * Parameter values by name.
   */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Mean of the metric.
   */
  readonly metric: number;
  /**
   * Unit of the mean.
   */
  readonly unit: string;
  /**
   * Metric and statistic: `<tag>_<statistic>`.
   */
  readonly metric_name?: string;
}
