// Generated from urn:servelens:schema:search-history:1.0 by scripts/generate.mjs. Do not edit.

/**
 * search_history.json: the probes of a search for the best parameters within limits, and the boundary that it found. Additional fields are accepted.
 */
export interface SearchHistory {
  /**
   * Version of the file's layout. Absent in AIPerf's files.
   */
  readonly schema_version?: '1.0';
  /**
   * Version of AIPerf that the file is compatible with.
   */
  readonly aiperf_version?: string | null;
  /**
   * Version of Servelens that recorded the search. Absent if another program recorded it.
   */
  readonly servelens_version?: string;
  readonly config: SearchConfig;
  /**
   * Runs of the search, in order. A value that was repeated has several.
   */
  readonly iterations: readonly SearchIteration[];
  /**
   * Runs with the best objective: within the limits if any run was, otherwise among all runs. Null if no run has an objective.
   */
  readonly best_trials?: readonly SearchTrial[] | null;
  /**
   * Boundary of a search of one parameter; null for several parameters, or if no run was evaluated.
   */
  readonly boundary_summary?: BoundarySummary | null;
  /**
   * Boundary of each tier of limits; absent in a search without tiers.
   */
  readonly tier_results?: readonly SlaTierResult[];
  /**
   * Name of the search recipe; null without one.
   */
  readonly recipe?: string | null;
  /**
   * Why the search ended; null while it is active. Servelens: precision_reached, no_pass_in_range, no_failure_in_range, non_monotonic, unknown_verdict, max_iterations or cancelled.
   */
  readonly convergence_reason?: string | null;
  /**
   * False if the search was interrupted, or is active: further probes were planned.
   */
  readonly is_complete?: boolean;
}
/**
 * Settings of the search.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "SearchConfig".
 */
export interface SearchConfig {
  /**
   * Method that chose the probes. Servelens: isotonic or latin_hypercube.
   */
  readonly planner?: string;
  /**
   * Metrics to optimize.
   */
  readonly objectives: readonly SearchObjective[];
  /**
   * Constraints of AIPerf's Optuna planner; empty in files of Servelens.
   *
   * Items: A constraint.
   */
  readonly outcome_constraints?: readonly Readonly<Record<string, unknown>>[];
  /**
   * Maximum number of probes.
   */
  readonly max_iterations?: number;
  /**
   * Number of probes of the initial design.
   */
  readonly n_initial_points?: number;
  /**
   * Seed of the design; null without one.
   */
  readonly random_seed?: number | null;
  /**
   * Searched parameters.
   */
  readonly search_space: readonly SearchDimension[];
  /**
   * Limits in AIPerf's form. Limits that have no such form are only in `limits`.
   */
  readonly sla_filters?: readonly SlaFilter[];
  /**
   * All limits, as rules of `servelens read check`.
   *
   * Items: A rule.
   */
  readonly limits?: readonly string[];
  /**
   * Groups of limits that each have a boundary. Limits of `sla_filters` also apply to each of them; the result of each tier lists all of its limits.
   */
  readonly tiers?: readonly SlaTier[];
  /**
   * Distance of the values on both sides of the boundary at which the search ends, as a fraction of the upper value.
   */
  readonly precision?: number;
  /**
   * Number of runs of each value on both sides of the boundary.
   */
  readonly replicates?: number;
  /**
   * Level of the confidence interval of the boundary, between 0 and 1.
   */
  readonly confidence_level?: number;
}
/**
 * A metric to optimize.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "SearchObjective".
 */
export interface SearchObjective {
  /**
   * Tag of the metric.
   */
  readonly metric: string;
  /**
   * Statistic of the metric.
   */
  readonly stat: string;
  /**
   * MAXIMIZE or MINIMIZE.
   */
  readonly direction: string;
  /**
   * Threshold of AIPerf's planners; null in files of Servelens.
   */
  readonly threshold?: number | null;
}
/**
 * A searched parameter.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "SearchDimension".
 */
export interface SearchDimension {
  /**
   * Path of the parameter in `input_config`.
   */
  readonly path: string;
  /**
   * Lowest value.
   */
  readonly lo: number;
  /**
   * Highest value.
   */
  readonly hi: number;
  /**
   * int or real.
   */
  readonly kind?: string;
}
/**
 * A limit of a client metric.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "SlaFilter".
 */
export interface SlaFilter {
  /**
   * Tag of the metric.
   */
  readonly metric_tag: string;
  /**
   * Statistic of the metric.
   */
  readonly stat: string;
  /**
   * lt, le, gt or ge.
   */
  readonly op: string;
  /**
   * Limit, in the unit of the metric.
   */
  readonly threshold: number;
}
/**
 * A named group of limits.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "SlaTier".
 */
export interface SlaTier {
  /**
   * Name of the tier.
   */
  readonly label: string;
  /**
   * Limits that the tier has in addition to those of the search.
   */
  readonly filters: readonly SlaFilter[];
}
/**
 * One run of the search.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "SearchIteration".
 */
export interface SearchIteration {
  /**
   * Index of the run, starting at 0.
   */
  readonly iteration_idx: number;
  /**
   * Values by path in `input_config`.
   */
  readonly variation_values: {
    /**
     * A value.
     */
    readonly [k: string]: number;
  };
  /**
   * Values of the objectives; null if they are unknown.
   */
  readonly objective_values?: readonly number[] | null;
  /**
   * True if all limits held.
   */
  readonly feasible: boolean;
  /**
   * True if the verdict contradicts the verdicts of other values.
   */
  readonly non_monotonic_warning?: boolean;
  /**
   * Folder of the run, relative to the folder of this file.
   */
  readonly run?: string;
  /**
   * Whether all limits held. `unknown`: a limit could not be evaluated, or the run failed.
   */
  readonly verdict?: 'passed' | 'failed' | 'unknown';
  /**
   * Distance to the nearest limit as a fraction of this limit: 0.1 exceeds it by 10%, -0.1 is 10% within it. Absent if it is unknown.
   */
  readonly margin?: number;
  /**
   * Why the run was ended before all its requests: a limit had certainly failed.
   */
  readonly ended_early?: string;
  /**
   * Why the run failed or is excluded from aggregates.
   */
  readonly error?: string;
  /**
   * Result of each limit.
   */
  readonly limits?: readonly LimitResult[];
}
/**
 * Result of a limit in one run.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "LimitResult".
 */
export interface LimitResult {
  /**
   * The rule.
   */
  readonly limit: string;
  /**
   * Whether the limit held; `unknown` if it could not be evaluated.
   */
  readonly outcome: 'passed' | 'failed' | 'unknown';
  /**
   * The compared values, or why the limit could not be evaluated.
   */
  readonly detail: string;
  /**
   * The measured value, if the limit is a single comparison.
   */
  readonly observed?: number;
  /**
   * The limit in the same unit.
   */
  readonly required?: number;
  /**
   * Distance to the limit as a fraction of it; see `margin` of the run.
   */
  readonly margin?: number;
}
/**
 * A run with the best objective.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "SearchTrial".
 */
export interface SearchTrial {
  /**
   * Index of the run.
   */
  readonly iteration_idx: number;
  /**
   * Values of the objectives.
   */
  readonly objective_values?: readonly number[] | null;
  /**
   * Values by path in `input_config`.
   */
  readonly variation_values: {
    /**
     * A value.
     */
    readonly [k: string]: number;
  };
  /**
   * True if all limits held.
   */
  readonly feasible?: boolean;
  /**
   * Number of runs within the limits.
   */
  readonly feasible_count?: number;
  /**
   * 0: no other run is better in all objectives.
   */
  readonly pareto_rank?: number;
}
/**
 * The boundary between values within the limits and values that exceed one.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "BoundarySummary".
 */
export interface BoundarySummary {
  /**
   * Path of the parameter in `input_config`.
   */
  readonly swept_dim_path: string;
  /**
   * Highest value within the limits below all failures; null if there is none.
   */
  readonly feasible_max?: BoundarySide | null;
  /**
   * Lowest value that exceeds a limit; null if there is none.
   */
  readonly infeasible_min?: BoundarySide | null;
  /**
   * False if a value failed and a higher one passed. There is then no estimate.
   */
  readonly is_monotonic?: boolean;
  /**
   * Value at which the fitted margin is 0.
   */
  readonly estimate?: number;
  readonly interval?: BoundaryInterval;
  /**
   * The limit that failed first above the boundary.
   */
  readonly binding_constraint?: string;
  /**
   * Ranges of the parameter that were not tested and on which the result depends.
   */
  readonly not_tested?: readonly UntestedRange[];
}
/**
 * The value on one side of the boundary.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "BoundarySide".
 */
export interface BoundarySide {
  /**
   * The value.
   */
  readonly value: number;
  /**
   * Index of the last run of this value.
   */
  readonly iteration_idx: number;
  /**
   * Value of the objective in this run.
   */
  readonly objective_value?: number | null;
  /**
   * Number of runs of this value.
   */
  readonly runs?: number;
  /**
   * First limit that failed in the last run of this value; null if none did.
   */
  readonly first_breach?: Breach | null;
}
/**
 * A limit that failed.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "Breach".
 */
export interface Breach {
  /**
   * The rule.
   */
  readonly limit?: string;
  /**
   * Tag of the metric.
   */
  readonly metric_tag?: string;
  /**
   * Statistic of the metric.
   */
  readonly stat?: string;
  /**
   * lt, le, gt or ge.
   */
  readonly op?: string;
  /**
   * Limit, in the unit of the metric.
   */
  readonly threshold?: number;
  /**
   * The measured value; null if it is unknown.
   */
  readonly observed?: number | null;
}
/**
 * Confidence interval of the boundary, from the differences between repeats.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "BoundaryInterval".
 */
export interface BoundaryInterval {
  /**
   * Lower end.
   */
  readonly low: number;
  /**
   * Upper end.
   */
  readonly high: number;
  /**
   * Confidence level, between 0 and 1.
   */
  readonly level: number;
  /**
   * True if the boundary may be below the lowest tested value.
   */
  readonly is_low_open?: boolean;
  /**
   * True if the boundary may be above the highest tested value.
   */
  readonly is_high_open?: boolean;
}
/**
 * A range of values without a run, except for its ends.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "UntestedRange".
 */
export interface UntestedRange {
  /**
   * Lower end.
   */
  readonly from: number;
  /**
   * Upper end.
   */
  readonly to: number;
}
/**
 * The boundary of a tier.
 *
 * This interface was referenced by `SearchHistory`'s JSON-Schema
 * via the `definition` "SlaTierResult".
 */
export interface SlaTierResult {
  /**
   * Name of the tier.
   */
  readonly label: string;
  /**
   * Highest value of the parameter within the limits of the tier; null if there is none.
   */
  readonly boundary_concurrency?: number | null;
  /**
   * converged, partial (the boundary is not known with the required precision), no_pass_in_range or no_failure_in_range.
   */
  readonly convergence_status: string;
  /**
   * Why the search of the tier ended; null while it is active.
   */
  readonly convergence_reason?: string | null;
  /**
   * Limit that fails at `bracket_upper`; null without one.
   */
  readonly binding_constraint?: Breach | null;
  /**
   * Highest value that passed; null if none did.
   */
  readonly bracket_lower?: number | null;
  /**
   * Lowest value that failed; null if none did.
   */
  readonly bracket_upper?: number | null;
  /**
   * Confidence interval of the boundary; null without repeats.
   */
  readonly confidence_interval?: {
    /**
     * Lower end.
     */
    readonly low?: number;
    /**
     * Upper end.
     */
    readonly high?: number;
  } | null;
  /**
   * Number of runs, which all tiers share.
   */
  readonly probe_count?: number;
  /**
   * All limits of the tier in AIPerf's form.
   */
  readonly filters?: readonly SlaFilter[];
}
