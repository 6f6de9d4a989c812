import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerMetricsView } from '@org/formats/read';

/** The URL of the endpoint with the short name localhost:8000. */
export const URL_A = 'http://localhost:8000/metrics';
/** The URL of the endpoint with the short name down:1. */
export const URL_B = 'http://down:1/metrics';
/** The start time of all test runs, in nanoseconds since 1970. */
export const START_NS = 1_795_254_800_000_000_000n;
export const SECOND_NS = 1_000_000_000n;

/** Creates the statistics of a gauge with values from 0 to `max`, which is twice the mean by default. */
export function createGaugeStats(avg: number, max: number = 2 * avg): Record<string, number> {
  const low = { min: 0, p1: 0, p5: 0, p10: 0, p25: avg / 2, p50: avg };
  return { avg, ...low, max, std: avg / 4, p75: max, p90: max, p95: max, p99: max };
}

/** Adds the times of consecutive slices of 2 s to their values. */
export function createSlices<T extends object>(
  values: readonly T[],
): (T & { start_ns: bigint; end_ns: bigint })[] {
  return values.map((value, i) => ({
    start_ns: START_NS + BigInt(2 * i) * SECOND_NS,
    end_ns: START_NS + BigInt(2 * i + 2) * SECOND_NS,
    ...value,
  }));
}

interface SeriesOptions {
  readonly labels?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly slices?: readonly number[];
}

function createOrigin({ labels = {}, url = URL_A }: SeriesOptions): object {
  return { endpoint_url: url, ...(Object.keys(labels).length > 0 && { labels }) };
}

/** Creates a gauge with a period of 20 s. */
export function createGauge(avg: number, options: SeriesOptions & { readonly max?: number } = {}): object {
  const timeslices = options.slices?.map(value => ({ avg: value, min: value, max: value }));
  return {
    ...createOrigin(options),
    stats: createGaugeStats(avg, options.max),
    ...(timeslices && { timeslices: createSlices(timeslices) }),
  };
}

/** Creates a counter with a period of 20 s. */
export function createCounter(
  total: number,
  options: SeriesOptions & { readonly stats?: object } = {},
): object {
  const timeslices = options.slices?.map(rate => ({ total: 2 * rate, rate }));
  const stats = { total, rate: total / 20, ...options.stats };
  return { ...createOrigin(options), stats, ...(timeslices && { timeslices: createSlices(timeslices) }) };
}

/** Creates a histogram with a period of 20 s and a mean of `avg`; each slice has 50 observations. */
export function createHistogram(
  count: number,
  avg: number,
  options: SeriesOptions & { readonly stats?: object; readonly extraFields?: object } = {},
): object {
  if (count === 0) return { ...createOrigin(options), stats: { count: 0 }, buckets: { '1': 0, '+Inf': 0 } };
  const bounds = [0.5, 1, 2, 4].map(factor => factor * avg);
  const buckets = (n: number): Record<string, number> => ({
    ...Object.fromEntries(bounds.map((bound, i) => [String(bound), Math.round((n * (i + 1)) / 4)])),
    '+Inf': n,
  });
  const low = { p1_estimate: avg / 4, p5_estimate: avg / 3, p10_estimate: avg / 2.5, p25_estimate: avg / 2 };
  const high = { p75_estimate: 1.5 * avg, p90_estimate: 2 * avg, p95_estimate: 3 * avg };
  const percentiles = { ...low, p50_estimate: avg, ...high, p99_estimate: 3.9 * avg };
  const timeslices = options.slices?.map(value => ({
    count: 50,
    sum: 50 * value,
    avg: value,
    buckets: buckets(50),
  }));
  const stats = { count, sum: count * avg, avg, count_rate: count / 20, sum_rate: (count * avg) / 20 };
  return {
    ...createOrigin(options),
    stats: { ...stats, ...percentiles, ...options.stats },
    buckets: buckets(count),
    ...(timeslices && { timeslices: createSlices(timeslices) }),
    ...options.extraFields,
  };
}

/** Creates the entry of a metric with these series. */
export function createMetric(type: string, series: readonly object[], unit?: string): object {
  return { type, description: '', ...(unit !== undefined && { unit }), series };
}

/** The entry of an endpoint without problems. */
export const healthyInfo: Readonly<Record<string, unknown>> = {
  total_fetches: 60,
  first_fetch_ns: START_NS,
  last_fetch_ns: START_NS + 20n * SECOND_NS,
  avg_fetch_latency_ms: 2.5,
  unique_updates: 60,
  first_update_ns: START_NS,
  last_update_ns: START_NS + 20n * SECOND_NS,
  duration_seconds: 20,
  avg_update_interval_ms: 339,
  median_update_interval_ms: 333,
  status: 'active',
  last_error: null,
  scrapes_failed: 0,
  scrapes_late: 0,
  samples_dropped: 0,
};

/** The entry of an endpoint that never responded. */
export const downInfo: Readonly<Record<string, unknown>> = {
  total_fetches: 0,
  status: 'no_data',
  scrapes_failed: 7,
  last_error: 'refused the connection',
};

/** Creates the JSON export of a run of 20 s. `infos` contains the entries of the endpoints by URL. */
export function createDocument(
  metrics: Readonly<Record<string, object>>,
  infos: Readonly<Record<string, object>> = { [URL_A]: healthyInfo },
  summary: object = {},
): ServerMetricsView {
  const urls = Object.keys(infos);
  return {
    schema_version: '1.0',
    aiperf_version: '0.0.0',
    benchmark_id: 'b-1',
    summary: {
      endpoints_configured: urls,
      endpoints_successful: urls.filter(
        url => (infos[url] as { total_fetches?: number }).total_fetches !== 0,
      ),
      start_time: '2026-11-21T09:53:20.000000Z',
      end_time: '2026-11-21T09:53:40.000000Z',
      profiling_start_ns: START_NS,
      profiling_end_ns: START_NS + 20n * SECOND_NS,
      endpoint_info: infos,
      ...summary,
    },
    metrics,
    input_config: {},
  } as unknown as ServerMetricsView;
}

/** Formats a value as JSON, with big integers as JSON numbers. */
export function toJson(value: unknown): string {
  const marked = JSON.stringify(value, (_, part) =>
    typeof part === 'bigint' ? `\u0001${part}\u0001` : part,
  );
  return marked.replace(/"\\u0001(-?\d+)\\u0001"/g, '$1');
}

/** Creates a temporary folder for one test file, and a function that removes it. */
export function createTempFolder(name: string): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), `analysis-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
