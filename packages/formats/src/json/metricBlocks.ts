/** Fields of a profile export that are not metric blocks. */
export const DOCUMENT_FIELDS: ReadonlySet<string> = new Set([
  ...['schema_version', 'aiperf_version', 'benchmark_id', 'start_time', 'end_time', 'was_cancelled'],
  ...['input_config', 'run_info', 'telemetry_data', 'error_summary', 'warmup_metrics'],
]);

/** Reports whether an object is a metric block: it has a unit or a value. */
export function isMetricBlock(value: object): boolean {
  return Object.hasOwn(value, 'unit') || Object.hasOwn(value, 'avg');
}
