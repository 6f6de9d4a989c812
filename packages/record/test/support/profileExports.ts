import type { ProfileExport, ServerMetricsDocument } from '@org/formats';

/** Creates a profile export with these latencies in milliseconds. `rate` is the throughput in requests per second. */
export function createExport(latencies: readonly number[], rate: number, extra: object = {}): ProfileExport {
  const sum = latencies.reduce((sum, latency) => sum + latency, 0);
  const sorted = [...latencies].sort((a, b) => a - b);
  return {
    schema_version: '1.3',
    benchmark_id: 'b',
    request_latency: {
      unit: 'ms',
      avg: sum / latencies.length,
      p99: sorted.at(-1)!,
      count: latencies.length,
      sum,
    },
    request_throughput: { unit: 'requests/sec', avg: rate },
    request_count: { unit: 'requests', avg: latencies.length },
    min_request_timestamp: { unit: 'ns', avg: 1_765_793_061_967_310_848n },
    ...extra,
  } as unknown as ProfileExport;
}

/** Creates server metrics with the average number of running requests and the total number of served requests. */
export function createServerMetrics(running: number, served: number): ServerMetricsDocument {
  const endpoint = { endpoint_url: 'http://a:8000/metrics', labels: { model: 'm' } };
  return {
    schema_version: '1.0',
    metrics: {
      running: { type: 'gauge', description: '', series: [{ ...endpoint, stats: { avg: running } }] },
      served: {
        type: 'counter',
        description: '',
        unit: 'requests',
        series: [{ ...endpoint, stats: { total: served, rate: served / 2 } }],
      },
    },
  } as unknown as ServerMetricsDocument;
}
