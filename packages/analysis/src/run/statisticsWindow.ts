import type { EndpointInfo, ProfileExport } from '@org/formats';
import type { ServerMetricsView } from '@org/formats/read';
import type { RunTimes } from './runTimes.ts';
import type { Stats } from './statistics.ts';

/**
 * The window of statistics that do not, or may not, cover the profiling phase. `aiperf`: AIPerf's window, from the start of
 * profiling to the last scrape of the run, which is later than the end of the load. `unknown`: the export does not record
 * its window. See docs/decisions/0041-statistics-windows.md
 */
export interface StatisticsWindow {
  readonly kind: 'aiperf' | 'unknown';
  /** The duration of the profiling phase; absent if it is unknown. */
  readonly profilingSeconds?: number;
}

/**
 * Finds the window of the statistics of an export. Returns undefined if they cover the profiling phase.
 *
 * Neither AIPerf's exports nor those with `--compat aiperf-0.13` record their window, but the rates of their counters show
 * its duration. If it fits both windows or none of them, the command line of a profile export of Servelens is used.
 */
export function findWindow(
  view: ServerMetricsView,
  times: RunTimes,
  profile?: ProfileExport,
): StatisticsWindow | undefined {
  const { schema_version: version, summary } = view;
  if (version === 'legacy' || Object.keys(view.metrics).length === 0) return undefined;
  if (summary?.statistics_window !== 'aiperf' && summary?.profiling_start_ns !== undefined) return undefined;
  const kind = summary?.statistics_window ?? classifyByRates(view, times);
  const known = kind ?? classifyByCommand(profile) ?? 'unknown';
  if (known === 'profiling') return undefined;
  const { profilingSeconds } = times;
  return { kind: known, ...(profilingSeconds === undefined ? {} : { profilingSeconds }) };
}

type WindowKind = StatisticsWindow['kind'] | 'profiling';

/** Scrapes at the start and the end of a window are at most this many update intervals away from the phase. */
const MAX_INTERVALS = 2;

/** The largest difference between equal times, in seconds: times and rates are rounded to doubles. */
const ROUNDING_SECONDS = 1e-5;

/**
 * Compares the duration that rates were computed with to the durations of both windows. A rate is divided by the time from
 * the last scrape before the start of profiling to the last scrape of the window.
 */
function classifyByRates({ metrics, summary }: ServerMetricsView, times: RunTimes): WindowKind | undefined {
  const kinds = new Set<WindowKind>();
  for (const [url, info] of Object.entries(summary?.endpoint_info ?? {})) {
    const seconds = findRateSeconds(metrics, url);
    const fitting = seconds === undefined ? [] : listFittingWindows(seconds, info, times);
    if (fitting.length === 1) kinds.add(fitting[0]!);
  }
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

function listFittingWindows(
  seconds: number,
  { first_fetch_ns: first, last_fetch_ns: last, median_update_interval_ms: intervalMs }: EndpointInfo,
  { profilingStartNs: start, profilingEndNs: end }: RunTimes,
): WindowKind[] {
  if (start === undefined || end === undefined || !first || !last || !intervalMs) return [];
  const maxDistance = (MAX_INTERVALS * intervalMs) / 1000;
  const isNear = (distance: number): boolean => Math.abs(distance) <= maxDistance;
  const toSeconds = (ns: bigint): number => Number(ns) / 1e9;
  // The times of the first scrape of AIPerf's window, and of the last one of the profiling phase after the first scrape.
  const baseline = toSeconds(last - start) - seconds;
  const isFirstScrape = Math.abs(toSeconds(last - first) - seconds) <= ROUNDING_SECONDS;
  const closing = seconds - toSeconds(end - first);
  const excess = seconds - toSeconds(end - start);
  return [
    ...(isFirstScrape || isNear(baseline) ? (['aiperf'] as const) : []),
    ...(isNear(excess) || isNear(closing) ? (['profiling'] as const) : []),
  ];
}

/** Returns the longest duration that rates of an endpoint were computed with. Series that start later have a shorter one. */
function findRateSeconds(metrics: ServerMetricsView['metrics'], url: string): number | undefined {
  let longest: number | undefined;
  for (const { series } of Object.values(metrics)) {
    for (const { endpoint_url, stats } of series) {
      if (endpoint_url !== url) continue;
      const { total, rate, count, count_rate } = stats as Stats;
      const seconds = (total ?? count ?? 0) / (rate ?? count_rate ?? 0);
      if (Number.isFinite(seconds) && seconds > (longest ?? 0)) longest = seconds;
    }
  }
  return longest;
}

/** Reads the window from the command line of a run of Servelens. */
function classifyByCommand(profile: ProfileExport | undefined): WindowKind | undefined {
  const command = profile?.run_info?.cli_command;
  if (!command?.startsWith('servelens ')) return undefined;
  return /\s--window[\s=]aiperf(?:\s|$)/.test(command) ? 'aiperf' : 'profiling';
}

/** Describes the window of statistics, as a message. */
export function describeWindow({ kind, profilingSeconds }: StatisticsWindow): string {
  return kind === 'aiperf' ? describeAiperfWindow(profilingSeconds) : describeUnknownWindow(profilingSeconds);
}

function describeAiperfWindow(profilingSeconds: number | undefined): string {
  const window =
    "server metrics cover AIPerf's window, which ends with the last scrape, after the end of the load";
  return profilingSeconds === undefined
    ? `${window}: rates and averages are too low`
    : `${window}: averages are too low, and rates are between the rate in this window and the rate in the profiling phase`;
}

function describeUnknownWindow(profilingSeconds: number | undefined): string {
  const window =
    'the window of the server metrics is unknown: they cover the profiling phase, or also the time until the last scrape of the run';
  return profilingSeconds === undefined
    ? `${window}, in which case rates and averages are too low`
    : `${window}; rates are between the exported rate and the rate in the profiling phase`;
}

/** The rates that depend on the window, each with the total that it is computed from. */
const TOTALS: Readonly<Record<string, string>> = { rate: 'total', count_rate: 'count', sum_rate: 'sum' };

/** Returns the name of the upper bound of a rate. */
export function toUpperRate(stat: string): string {
  return `${stat}_upper`;
}

/**
 * Adds the upper bounds of rates over a window that may end after the load: the total divided by the duration of the
 * profiling phase. The exported rate is divided by a longer time, which may include time without load. The rate of the
 * profiling phase is between the two if no events happened outside of it.
 */
export function addUpperRates(
  stats: Stats,
  { profilingSeconds }: Pick<StatisticsWindow, 'profilingSeconds'>,
): Stats {
  if (!profilingSeconds) return stats;
  const bounds = Object.entries(TOTALS).flatMap(([rate, total]): [string, number][] => {
    const lower = stats[rate];
    const upper = (stats[total] ?? 0) / profilingSeconds;
    return lower !== undefined && upper > lower ? [[toUpperRate(rate), upper]] : [];
  });
  return bounds.length === 0 ? stats : { ...stats, ...Object.fromEntries(bounds) };
}
