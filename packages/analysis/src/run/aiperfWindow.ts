import type { ProfileExport } from '@org/formats';
import type { ServerMetricsView } from '@org/formats/read';
import type { Stats } from './statistics.ts';

/**
 * AIPerf's window: the statistics of an export cover the time from the start of profiling to the last scrape of the run,
 * which is later than the end of the load. See docs/decisions/0041-statistics-windows.md
 */
export interface AiperfWindow {
  /** The duration of the profiling phase; absent if it is unknown. */
  readonly profilingSeconds?: number;
}

/** The rates that depend on the window, each with the total that it is computed from. */
const TOTALS: Readonly<Record<string, string>> = { rate: 'total', count_rate: 'count', sum_rate: 'sum' };

/** Returns the name of the upper bound of a rate. */
export function toUpperRate(stat: string): string {
  return `${stat}_upper`;
}

/**
 * Reports whether the statistics of an export cover AIPerf's window instead of the profiling phase. The export of a run
 * with `--compat aiperf-0.13` records neither the window nor its program; the profile export records the command line.
 */
export function coversAiperfWindow(
  { schema_version: version, summary }: ServerMetricsView,
  profile?: ProfileExport,
): boolean {
  if (!summary || version === 'legacy') return false;
  if (summary.statistics_window === 'aiperf') return true;
  return summary.profiling_start_ns === undefined && !isOfServelens(profile);
}

function isOfServelens(profile: ProfileExport | undefined): boolean {
  return profile?.run_info?.cli_command?.startsWith('servelens ') === true;
}

/**
 * Adds the upper bounds of rates over AIPerf's window: the total divided by the duration of the profiling phase. The
 * exported rate is divided by a longer time, which includes time without load. The rate of the profiling phase is between
 * the two if no events happened outside of it.
 */
export function addUpperRates(stats: Stats, { profilingSeconds }: AiperfWindow): Stats {
  if (!profilingSeconds) return stats;
  const bounds = Object.entries(TOTALS).flatMap(([rate, total]): [string, number][] => {
    const lower = stats[rate];
    const upper = (stats[total] ?? 0) / profilingSeconds;
    return lower !== undefined && upper > lower ? [[toUpperRate(rate), upper]] : [];
  });
  return bounds.length === 0 ? stats : { ...stats, ...Object.fromEntries(bounds) };
}
