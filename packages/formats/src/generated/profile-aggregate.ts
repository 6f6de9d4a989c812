// Generated from urn:servelens:schema:profile-aggregate:1.0 by scripts/generate.mjs. Do not edit.

/**
 * profile_export_aiperf_aggregate.json, schema 1.0: the same figure of several runs, and how sure its mean is (seed 004). Fields that are not named here are accepted.
 */
export interface ProfileAggregate {
  /**
   * Version of this layout.
   */
  readonly schema_version: '1.0';
  /**
   * Version of the tool that wrote the file.
   */
  readonly aiperf_version?: string | null;
  readonly metadata: AggregateMetadata;
  /**
   * By <tag>_<statistic>, such as request_latency_p99.
   */
  readonly metrics: {
    readonly [k: string]: AggregateMetric;
  };
  /**
   * What the servers said in the same runs: by metric, in the terms of server_metrics_export.json. Series that fewer than two runs have are left out.
   */
  readonly server_metrics?: {
    readonly [k: string]: ServerAggregateMetric;
  };
}
/**
 * Which runs there were.
 *
 * This interface was referenced by `ProfileAggregate`'s JSON-Schema
 * via the `definition` "AggregateMetadata".
 */
export interface AggregateMetadata {
  /**
   * How the runs were put together.
   */
  readonly aggregation_type: 'confidence';
  /**
   * Runs that were made.
   */
  readonly num_profile_runs: number;
  /**
   * Runs that the figures are made of.
   */
  readonly num_successful_runs: number;
  /**
   * Runs that are left out, and why.
   */
  readonly failed_runs: readonly FailedRun[];
  /**
   * Share of such intervals that hold the true mean.
   */
  readonly confidence_level?: number;
  /**
   * Names of the successful runs, in their order.
   */
  readonly run_labels?: readonly string[];
  /**
   * Pause between two runs.
   */
  readonly cooldown_seconds?: number;
  /**
   * Whether the repetition was interrupted. The figures are those of the runs that were complete.
   */
  readonly was_cancelled?: boolean;
}
/**
 * A run that failed.
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
   * Why it failed.
   */
  readonly error?: string | null;
}
/**
 * One statistic over the runs.
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
   * Smallest of the runs.
   */
  readonly min: number;
  /**
   * Largest of the runs.
   */
  readonly max: number;
  /**
   * Coefficient of variation: std divided by the mean. Null where the mean is 0.
   */
  readonly cv?: number | null;
  /**
   * Standard error of the mean: std divided by the root of the number of runs.
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
   * Quantile of Student's t that the interval is made with.
   */
  readonly t_critical: number;
  /**
   * Unit of the values in this block.
   */
  readonly unit: string;
  /**
   * Runs that have this statistic, where they are fewer than num_successful_runs. The interval is made of these.
   */
  readonly num_runs?: number;
}
/**
 * One metric of the servers over the runs.
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
   * Unit of its samples.
   */
  readonly unit?: string | null;
  /**
   * Its series, one for each endpoint and label set.
   */
  readonly series: readonly ServerAggregateSeries[];
}
/**
 * One series over the runs.
 *
 * This interface was referenced by `ProfileAggregate`'s JSON-Schema
 * via the `definition` "ServerAggregateSeries".
 */
export interface ServerAggregateSeries {
  /**
   * Where it was scraped.
   */
  readonly endpoint_url: string;
  /**
   * Its labels; null or absent without any.
   */
  readonly labels?: {
    readonly [k: string]: string;
  } | null;
  /**
   * By statistic, such as avg, rate or p99_estimate.
   */
  readonly stats: {
    readonly [k: string]: AggregateMetric;
  };
}
