import type { LoadPoint, ServerLoad } from '@org/analysis/browser';
import type { XyChart } from '../../svg/xyChartModel.ts';
import type { Conclusion } from './conclusion.ts';

/** A metric that can be selected on the page. */
export interface SelectableMetric {
  /** Tag and statistic, joined by an underscore: `request_latency_p99`. */
  readonly metric: string;
  readonly name: string;
  /** Short name for sentences and columns. */
  readonly short: string;
  readonly unit: string;
}

/** The results of a sweep or of repeated runs, for the charts of the page and for its script. */
export interface SweepData {
  /** The name of the sweep, for comparisons. */
  readonly name: string;
  readonly throughputs: readonly SelectableMetric[];
  readonly latencies: readonly SelectableMetric[];
  /** The limits of `--goodput`, by client metric. */
  readonly goodput: Readonly<Record<string, number>>;
  /** Repeated runs without a sweep have one point. */
  readonly points: readonly LoadPointData[];
  /** The result of a search, if the runs are its probes. */
  readonly search?: SearchData;
  readonly base?: { readonly name: string; readonly points: readonly LoadPointData[] };
}

/** The result of a search, and its probes. */
export interface SearchData {
  readonly conclusion: Conclusion;
  /** A chart for each limit; empty for searches of several parameters. */
  readonly charts: readonly XyChart[];
  /** Names of the searched parameters. */
  readonly parameters: readonly string[];
  readonly probes: readonly ProbeData[];
}

/** One run of a search. */
export interface ProbeData {
  /** The number of the run, starting at 1. */
  readonly run: number;
  /** The values of the searched parameters, in their order. */
  readonly values: readonly string[];
  readonly verdict: 'passed' | 'failed' | 'unknown';
  /** The measured value of each limit, or why it is unknown. */
  readonly detail: string;
}

/** A variation of a sweep. */
export interface LoadPointData extends LoadPoint {
  /** The number of successful runs; null if the file does not contain it. */
  readonly runs: number | null;
  readonly outcomes: Outcomes | null;
  readonly server: ServerLoad;
  /** The complete runs, in order of time; empty if they were not found. */
  readonly repeats: readonly RepeatData[];
}

/** One run of a variation. */
export interface RepeatData {
  readonly trial: number;
  readonly values: Readonly<Record<string, number>>;
  /** The address of the run's page, relative to this page. Absent if there is no such page. */
  readonly link?: string;
}

/** Numbers of requests by outcome. */
export interface Outcomes {
  readonly succeeded: number;
  /** The part of the successful requests that missed a limit; null without `--goodput`. */
  readonly late: number | null;
  readonly failed: number;
  readonly cancelled: number;
}
