// Generated from urn:servelens:schema:profile-sweep:1.0 by scripts/generate.mjs. Do not edit.

/**
 * profile_export_aiperf_sweep.json: the same benchmark with different parameters, and what each combination gave. Fields that are not named here are accepted.
 */
export interface ProfileSweep {
  /**
   * Version of this layout. AIPerf leaves it out.
   */
  readonly schema_version?: '1.0';
  /**
   * Version of the tool that wrote the file.
   */
  readonly aiperf_version?: string | null;
  /**
   * How the runs were put together.
   */
  readonly aggregation_type: 'sweep';
  /**
   * Runs that were made, of all variations.
   */
  readonly num_profile_runs: number;
  /**
   * Runs that the figures are made of.
   */
  readonly num_successful_runs: number;
  /**
   * Runs that are left out, and why.
   */
  readonly failed_runs?: readonly FailedRun[];
  readonly metadata: SweepMetadata;
  /**
   * The variations in their order.
   */
  readonly per_combination_metrics: readonly SweepVariation[];
  /**
   * By objective: the variation with the best mean. It says nothing of how sure the difference is.
   */
  readonly best_configurations?: {
    readonly [k: string]: BestConfiguration;
  };
  /**
   * Parameters of the variations that no other one surpasses in both objectives, request throughput and latency.
   *
   * Items: Parameters of one variation.
   */
  readonly pareto_optimal?: Readonly<Record<string, unknown>>[];
}
/**
 * A run that failed.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "FailedRun".
 */
export interface FailedRun {
  /**
   * Name of the run: variation and run, such as concurrency_4/run_0002.
   */
  readonly label: string;
  /**
   * Why it failed.
   */
  readonly error?: string | null;
}
/**
 * Which variations there are.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "SweepMetadata".
 */
export interface SweepMetadata {
  /**
   * UUID of the sweep, as in run_info of its runs.
   */
  readonly sweep_id?: string;
  /**
   * What was varied.
   */
  readonly sweep_parameters: readonly SweepParameter[];
  /**
   * How many variations there are.
   */
  readonly num_combinations: number;
  /**
   * Runs that each variation was to have.
   */
  readonly num_trials?: number;
  /**
   * Share of such intervals that hold the true mean.
   */
  readonly confidence_level?: number;
  /**
   * Pause between two runs.
   */
  readonly cooldown_seconds?: number;
  /**
   * repeated: every variation once, then again. independent: all runs of a variation, then the next.
   */
  readonly iteration_order?: 'repeated' | 'independent';
  /**
   * Whether the sweep was interrupted. The figures are those of the runs that were complete.
   */
  readonly was_cancelled?: boolean;
}
/**
 * One parameter and its values.
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
   * Its values, in their order.
   */
  readonly values: readonly unknown[];
}
/**
 * One combination of parameters, and what it gave.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "SweepVariation".
 */
export interface SweepVariation {
  /**
   * Parameters by name.
   */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Its number, from 0, as in run_info.
   */
  readonly variation_index?: number;
  /**
   * Its name, as in run_info.
   */
  readonly variation_label?: string;
  /**
   * Its runs that the figures are made of.
   */
  readonly num_successful_runs?: number;
  /**
   * By <tag>_<statistic>, such as request_latency_p99. Empty when no run of it succeeded.
   */
  readonly metrics: {
    readonly [k: string]: SweepMetric;
  };
  /**
   * What the servers said in its runs: by metric, in the terms of server_metrics_export.json.
   */
  readonly server_metrics?: {
    readonly [k: string]: ServerSweepMetric;
  };
}
/**
 * One statistic of a variation. Of a variation with one run there are only mean and unit.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "SweepMetric".
 */
export interface SweepMetric {
  /**
   * Mean over the runs of the variation; the value of the only one.
   */
  readonly mean: number;
  /**
   * Sample standard deviation over the runs (divisor n − 1).
   */
  readonly std?: number;
  /**
   * Smallest of the runs.
   */
  readonly min?: number;
  /**
   * Largest of the runs.
   */
  readonly max?: number;
  /**
   * Coefficient of variation: std divided by the mean. Null where the mean is 0.
   */
  readonly cv?: number | null;
  /**
   * Standard error of the mean: std divided by the root of the number of runs.
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
   * Quantile of Student's t that the interval is made with.
   */
  readonly t_critical?: number;
  /**
   * Unit of the values in this block.
   */
  readonly unit: string;
  /**
   * Runs that have this statistic, where they are fewer than those of the variation that succeeded.
   */
  readonly num_runs?: number;
}
/**
 * One metric of the servers over the runs.
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
   * Unit of its samples.
   */
  readonly unit?: string | null;
  /**
   * Its series, one for each endpoint and label set.
   */
  readonly series: readonly ServerSweepSeries[];
}
/**
 * One series over the runs.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "ServerSweepSeries".
 */
export interface ServerSweepSeries {
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
    readonly [k: string]: SweepMetric;
  };
}
/**
 * The variation with the best mean of one metric.
 *
 * This interface was referenced by `ProfileSweep`'s JSON-Schema
 * via the `definition` "BestConfiguration".
 */
export interface BestConfiguration {
  /**
   * Parameters by name.
   */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * The mean.
   */
  readonly metric: number;
  /**
   * Unit of the mean.
   */
  readonly unit: string;
  /**
   * Which metric it is: <tag>_<statistic>.
   */
  readonly metric_name?: string;
}
