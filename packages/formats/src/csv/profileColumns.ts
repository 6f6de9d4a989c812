/** Statistics, in the column order of AIPerf's CSV. */
export const CSV_STATS: readonly string[] = [
  ...['avg', 'min', 'max', 'sum', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'std'],
];

/** Reports whether a name is a known statistic or looks like one of a newer version, such as `adj_p99`. */
export function isCsvStat(name: string): boolean {
  return CSV_STATS.includes(name) || name === 'count' || /^([a-z]+_)?p\d{1,2}(\.\d+)?$/.test(name);
}

/** Header of the section with single values. */
export const VALUE_HEADER: readonly string[] = ['Metric', 'Value'];

/** Header of the timeslices CSV, which has one row per statistic. */
export const TIMESLICE_HEADER: readonly string[] = ['Timeslice', 'Metric', 'Unit', 'Stat', 'Value'];
