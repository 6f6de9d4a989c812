/** Statistics in the order of AIPerf's CSV columns. */
export const CSV_STATS: readonly string[] = [
  ...['avg', 'min', 'max', 'sum', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'std'],
];

/** Whether a column or a row is a statistic: one of those, or one that newer versions have, such as `adj_p99`. */
export function isCsvStat(name: string): boolean {
  return CSV_STATS.includes(name) || name === 'count' || /^([a-z]+_)?p\d{1,2}(\.\d+)?$/.test(name);
}

/** Header of the section of single values. */
export const VALUE_HEADER: readonly string[] = ['Metric', 'Value'];

/** Header of the timeslices: one row for each statistic. */
export const TIMESLICE_HEADER: readonly string[] = ['Timeslice', 'Metric', 'Unit', 'Stat', 'Value'];

/** Fields of a profile export that are not metric blocks. */
export const DOCUMENT_FIELDS: ReadonlySet<string> = new Set([
  ...['schema_version', 'aiperf_version', 'benchmark_id', 'start_time', 'end_time', 'was_cancelled'],
  ...['input_config', 'run_info', 'telemetry_data', 'error_summary', 'warmup_metrics'],
]);

/** Whether an object is a metric block: it has a unit or a value (seed 004). */
export function isMetricBlock(value: object): boolean {
  return Object.hasOwn(value, 'unit') || Object.hasOwn(value, 'avg');
}
