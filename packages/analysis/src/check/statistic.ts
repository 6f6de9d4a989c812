import { type RunSeries, readStat } from '../run/series.ts';

/** Matches the short name of a percentile. */
const PERCENTILE = /^p\d+$/;

/**
 * Reads a statistic by its name in the export. `p99` also names the `p99_estimate` of a histogram, so that
 * percentiles have the same name for all types. Returns undefined if the series lacks the statistic.
 */
export function readNamedStat(series: RunSeries, name: string): number | undefined {
  const value = readStat(series, name);
  return value === undefined && PERCENTILE.test(name) ? readStat(series, `${name}_estimate`) : value;
}

/** Lists the numeric statistics of a series. */
export function listStats(series: RunSeries): string[] {
  return Object.keys(series.stats).filter(name => readStat(series, name) !== undefined);
}
