/** A metric shown as an axis of charts and as a column of tables. */
export interface Axis {
  /** Tag and statistic, joined by an underscore: `request_latency_p99`. */
  readonly metric: string;
  readonly name: string;
  /** Short name, for column headings. */
  readonly short: string;
}

/** Metrics to maximize. */
export const THROUGHPUTS: readonly Axis[] = [
  { metric: 'request_throughput_avg', name: 'Requests/s', short: 'req/s' },
  { metric: 'output_token_throughput_avg', name: 'Output tok/s', short: 'out tok/s' },
  { metric: 'goodput_avg', name: 'Goodput, requests/s', short: 'goodput' },
];

/** Metrics to minimize. */
export const LATENCIES: readonly Axis[] = [
  { metric: 'request_latency_p50', name: 'Request Latency p50', short: 'latency p50' },
  { metric: 'request_latency_p99', name: 'Request Latency p99', short: 'latency p99' },
  { metric: 'time_to_first_token_p50', name: 'Time to First Token p50', short: 'TTFT p50' },
  { metric: 'time_to_first_token_p99', name: 'Time to First Token p99', short: 'TTFT p99' },
  { metric: 'inter_token_latency_avg', name: 'Inter Token Latency avg', short: 'ITL avg' },
  { metric: 'inter_token_latency_p99', name: 'Inter Token Latency p99', short: 'ITL p99' },
];
