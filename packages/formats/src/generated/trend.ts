// Generated from urn:servelens:schema:trend:1.0 by scripts/generate.mjs. Do not edit.

/**
 * The spread of the requests in a run, or of the values of repeated runs.
 *
 * This interface was referenced by `RunTrend`'s JSON-Schema
 * via the `definition` "Spread".
 */
export type Spread = {
  /**
   * What has the spread.
   */
  readonly of: 'requests' | 'repeats';
  /**
   * Number of requests or repeats.
   */
  readonly count: number;
  /**
   * Standard deviation.
   */
  readonly std: number;
  /**
   * First quartile of requests, or lowest repeat.
   */
  readonly low: number;
  /**
   * Third quartile of requests, or highest repeat.
   */
  readonly high: number;
} | null;
/**
 * A change over all runs without a clear position; null without such a change.
 */
export type Drift = {
  /**
   * First value of the line.
   */
  readonly from: number;
  /**
   * Last value of the line.
   */
  readonly to: number;
  /**
   * Whether the change is for the worse; changed for metrics without a direction.
   */
  readonly verdict: 'worse' | 'better' | 'changed';
  /**
   * Change as a fraction of the first value; null if that is 0.
   */
  readonly change: number | null;
  /**
   * p-value of the permutation test, before the correction.
   */
  readonly p: number;
} | null;
/**
 * A straight line that fits the values better than levels.
 *
 * This interface was referenced by `RunTrend`'s JSON-Schema
 * via the `definition` "Drift".
 */
export type Drift1 = {
  /**
   * First value of the line.
   */
  readonly from: number;
  /**
   * Last value of the line.
   */
  readonly to: number;
  /**
   * Whether the change is for the worse; changed for metrics without a direction.
   */
  readonly verdict: 'worse' | 'better' | 'changed';
  /**
   * Change as a fraction of the first value; null if that is 0.
   */
  readonly change: number | null;
  /**
   * p-value of the permutation test, before the correction.
   */
  readonly p: number;
} | null;

/**
 * Output of `servelens read trend --json`: the key metrics of runs over time, with their change points. Additional fields are accepted.
 */
export interface RunTrend {
  /**
   * Version of this schema.
   */
  readonly schema_version: '1';
  readonly method: TrendMethod;
  /**
   * Runs of the same workload, the group with the most recent run first.
   */
  readonly groups: readonly TrendGroup[];
  /**
   * Paths that are not part of the trend.
   */
  readonly problems: readonly RunProblem[];
  /**
   * Limitations of the data.
   */
  readonly notes: readonly string[];
}
/**
 * The method of the search for change points, and its settings.
 */
export interface TrendMethod {
  /**
   * Name of the method.
   */
  readonly name: string;
  /**
   * Maximum number of permutations of a test.
   */
  readonly permutations: number;
  /**
   * Correction of p-values for the number of metrics: bh (Benjamini-Hochberg).
   */
  readonly correction: string;
  /**
   * Significance level of all metrics of a group together.
   */
  readonly alpha: number;
  /**
   * Minimum change to report, as a fraction of the earlier level.
   */
  readonly min_change: number;
  /**
   * Minimum number of runs on each side of a change.
   */
  readonly min_runs: number;
  /**
   * Minimum number of runs of a metric for a test.
   */
  readonly min_total_runs: number;
}
/**
 * Runs of one workload, in order of time.
 *
 * This interface was referenced by `RunTrend`'s JSON-Schema
 * via the `definition` "TrendGroup".
 */
export interface TrendGroup {
  /**
   * The settings of the workload that distinguish the group from other groups, by name. All settings if there is one group.
   */
  readonly workload: Readonly<Record<string, unknown>>;
  /**
   * The runs, in order of time.
   */
  readonly runs: readonly TrendRun[];
  /**
   * Versions, hardware and settings of servers that changed between two runs.
   */
  readonly setting_changes: readonly SettingChange[];
  /**
   * Settings that are different in most runs.
   */
  readonly varying_settings: readonly VaryingSetting[];
  /**
   * Number of metrics that were tested, which p-values are corrected for.
   */
  readonly tested_metrics: number;
  /**
   * Highest p-value of a change point: alpha, corrected for the number of tested metrics.
   */
  readonly level: number;
  /**
   * The key metrics.
   */
  readonly metrics: readonly MetricTrend[];
}
/**
 * A run, or repeated runs.
 *
 * This interface was referenced by `RunTrend`'s JSON-Schema
 * via the `definition` "TrendRun".
 */
export interface TrendRun {
  /**
   * Path of the folder or file.
   */
  readonly path: string;
  /**
   * Start in nanoseconds since 1970.
   */
  readonly start_ns: string;
  /**
   * Start as an ISO 8601 time in UTC.
   */
  readonly start_time: string;
  /**
   * Whether the time zone of the start is unknown, so that it was read as UTC.
   */
  readonly is_local_time: boolean;
  /**
   * Number of repeated runs; 1 for a single run.
   */
  readonly repeats: number;
  /**
   * Whether the run has metrics of the load generator.
   */
  readonly has_client_data: boolean;
}
/**
 * A setting that changed between two runs.
 *
 * This interface was referenced by `RunTrend`'s JSON-Schema
 * via the `definition` "SettingChange".
 */
export interface SettingChange {
  /**
   * Index of the first run with the new value, from 0.
   */
  readonly run: number;
  /**
   * Name of the setting.
   */
  readonly setting: string;
  /**
   * The value before; empty if the setting was not set.
   */
  readonly from: string;
  /**
   * The value after; empty if the setting is not set.
   */
  readonly to: string;
}
/**
 * A setting that is different in most runs.
 *
 * This interface was referenced by `RunTrend`'s JSON-Schema
 * via the `definition` "VaryingSetting".
 */
export interface VaryingSetting {
  /**
   * Name of the setting.
   */
  readonly setting: string;
  /**
   * Number of distinct values.
   */
  readonly values: number;
}
/**
 * A statistic of a key metric over the runs of a group.
 *
 * This interface was referenced by `RunTrend`'s JSON-Schema
 * via the `definition` "MetricTrend".
 */
export interface MetricTrend {
  /**
   * Kind of server, or Client.
   */
  readonly server: string;
  /**
   * Name of the metric.
   */
  readonly metric: string;
  /**
   * Statistic, such as avg, rate or p99.
   */
  readonly stat: string;
  /**
   * Type of the metric; client for metrics of the load generator.
   */
  readonly type: string;
  /**
   * Unit of the values; null if unknown.
   */
  readonly unit: string | null;
  /**
   * Which values are better.
   */
  readonly better: 'lower' | 'higher' | 'neither';
  /**
   * Whether the metric was tested for changes. constant: all values are equal.
   */
  readonly state: 'tested' | 'constant' | 'too few runs';
  /**
   * Number of runs that have the metric.
   */
  readonly known_runs: number;
  /**
   * A value per run; null if the run does not have the metric.
   */
  readonly values: (number | null)[];
  /**
   * The spread of each value; null if unknown.
   */
  readonly spreads: readonly Spread[];
  /**
   * Change points, in order of time.
   */
  readonly changes: readonly ChangePoint[];
  readonly drift: Drift;
}
/**
 * A position where the mean of a metric changed.
 *
 * This interface was referenced by `RunTrend`'s JSON-Schema
 * via the `definition` "ChangePoint".
 */
export interface ChangePoint {
  /**
   * Index of the last run before the change, from 0.
   */
  readonly before_run: number;
  /**
   * Index of the first run after the change, from 0.
   */
  readonly after_run: number;
  /**
   * Whether the change is for the worse; changed for metrics without a direction.
   */
  readonly verdict: 'worse' | 'better' | 'changed';
  /**
   * Change as a fraction of the earlier level; null if that is 0.
   */
  readonly change: number | null;
  /**
   * p-value of the permutation test, before the correction.
   */
  readonly p: number;
  readonly before: Level;
  readonly after: Level1;
}
/**
 * The level before the change.
 */
export interface Level {
  /**
   * Mean of the runs.
   */
  readonly mean: number;
  /**
   * Lower end of the interval.
   */
  readonly low: number;
  /**
   * Upper end of the interval.
   */
  readonly high: number;
  /**
   * Number of runs.
   */
  readonly runs: number;
}
/**
 * The level after the change.
 */
export interface Level1 {
  /**
   * Mean of the runs.
   */
  readonly mean: number;
  /**
   * Lower end of the interval.
   */
  readonly low: number;
  /**
   * Upper end of the interval.
   */
  readonly high: number;
  /**
   * Number of runs.
   */
  readonly runs: number;
}
/**
 * A path that is not part of the trend.
 *
 * This interface was referenced by `RunTrend`'s JSON-Schema
 * via the `definition` "RunProblem".
 */
export interface RunProblem {
  /**
   * Path of the folder or file.
   */
  readonly path: string;
  /**
   * Reason in words.
   */
  readonly reason: string;
}
/**
 * The method of the search for change points, and its settings.
 *
 * This interface was referenced by `RunTrend`'s JSON-Schema
 * via the `definition` "TrendMethod".
 */
export interface TrendMethod1 {
  /**
   * Name of the method.
   */
  readonly name: string;
  /**
   * Maximum number of permutations of a test.
   */
  readonly permutations: number;
  /**
   * Correction of p-values for the number of metrics: bh (Benjamini-Hochberg).
   */
  readonly correction: string;
  /**
   * Significance level of all metrics of a group together.
   */
  readonly alpha: number;
  /**
   * Minimum change to report, as a fraction of the earlier level.
   */
  readonly min_change: number;
  /**
   * Minimum number of runs on each side of a change.
   */
  readonly min_runs: number;
  /**
   * Minimum number of runs of a metric for a test.
   */
  readonly min_total_runs: number;
}
/**
 * The mean between two change points, with its confidence interval.
 *
 * This interface was referenced by `RunTrend`'s JSON-Schema
 * via the `definition` "Level".
 */
export interface Level2 {
  /**
   * Mean of the runs.
   */
  readonly mean: number;
  /**
   * Lower end of the interval.
   */
  readonly low: number;
  /**
   * Upper end of the interval.
   */
  readonly high: number;
  /**
   * Number of runs.
   */
  readonly runs: number;
}
