import { closeSync, openSync, writeSync } from 'node:fs';

/** Duration of a timeslice, in nanoseconds. */
const SLICE_NS = 2_000_000_000n;
/** Start of the run, as Unix time in nanoseconds. */
export const START_NS = 1_795_254_800_000_000_000n;
const BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Names of the metric families of an endpoint, by type. */
const GAUGES = [
  'num_requests_running',
  'num_requests_waiting',
  'kv_cache_usage_perc',
  ...createNames('level', 9),
];
const COUNTERS = ['generation_tokens', 'prompt_tokens', 'num_preemptions', ...createNames('events', 13)];
const HISTOGRAMS = [
  'e2e_request_latency_seconds',
  'time_to_first_token_seconds',
  'inter_token_latency_seconds',
  ...createNames('times', 7),
];

function createNames(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${name}_${i}`);
}

/** Lists the metric families of an endpoint, with their types. */
export function listFamilies(): (readonly [name: string, type: 'gauge' | 'counter' | 'histogram'])[] {
  return [
    ...GAUGES.map(name => [name, 'gauge'] as const),
    ...COUNTERS.map(name => [name, 'counter'] as const),
    ...HISTOGRAMS.map(name => [name, 'histogram'] as const),
  ];
}

/** Lists the URLs of the metrics pages of a number of endpoints. */
export function listUrls(endpoints: number): string[] {
  return Array.from({ length: endpoints }, (_, i) => `http://10.0.${i >> 8}.${i & 255}:8000/metrics`);
}

/** The size of a generated export, and the factor of its values. */
export interface ExportSize {
  /** Number of endpoints, with 38 series each. */
  readonly endpoints: number;
  /** Number of timeslices of 2 s; 0 for none. */
  readonly slices: number;
  /** Factor of all values except the counts of histograms, to simulate another build of the server. */
  readonly factor: number;
}

/** Writes a JSON export of server metrics, family by family. Returns the number of series. */
export function writeJsonExport(file: string, size: ExportSize): number {
  const out = openSync(file, 'w');
  try {
    const urls = listUrls(size.endpoints);
    writeSync(out, formatHead(urls, size));
    const families = listFamilies();
    families.forEach(([name, type], i) => {
      const unit = name.endsWith('_seconds') ? '"unit": "seconds", ' : '';
      writeSync(
        out,
        `${i > 0 ? ',\n' : ''}    "vllm:${name}": {"type": "${type}", "description": "", ${unit}"series": [\n`,
      );
      urls.forEach((url, j) => {
        writeSync(out, `${j > 0 ? ',\n' : ''}${formatSeries(type, url, createRandom(i * 7919 + j), size)}`);
      });
      writeSync(out, '\n    ]}');
    });
    writeSync(out, '\n  },\n  "input_config": {}\n}\n');
    return families.length * urls.length;
  } finally {
    closeSync(out);
  }
}

function formatHead(urls: readonly string[], { slices }: ExportSize): string {
  const end = START_NS + BigInt(Math.max(10, slices)) * SLICE_NS;
  const times = `"first_fetch_ns": ${START_NS}, "last_fetch_ns": ${end}, "first_update_ns": ${START_NS}, "last_update_ns": ${end}`;
  const info = `{"total_fetches": 60, ${times}, "avg_fetch_latency_ms": 2.5, "unique_updates": 60, "duration_seconds": ${Number(end - START_NS) / 1e9}, "avg_update_interval_ms": 333.0, "median_update_interval_ms": 333.0, "status": "active"}`;
  const list = JSON.stringify(urls);
  return `{
  "schema_version": "1.0", "aiperf_version": "0.0.0", "benchmark_id": null,
  "summary": {
    "endpoints_configured": ${list}, "endpoints_successful": ${list},
    "start_time": "${formatIsoTime(START_NS)}", "end_time": "${formatIsoTime(end)}",
    "profiling_start_ns": ${START_NS}, "profiling_end_ns": ${end},
    "endpoint_info": {${urls.map(url => `"${url}": ${info}`).join(', ')}}
  },
  "metrics": {
`;
}

function formatIsoTime(ns: bigint): string {
  return new Date(Number(ns / 1_000_000n)).toISOString();
}

/** Creates a seeded linear congruential generator (Numerical Recipes). */
function createRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function formatSeries(type: string, url: string, next: () => number, size: ExportSize): string {
  const prefix = `      {"endpoint_url": "${url}", "labels": {"engine": "0", "model_name": "meta-llama/Llama-3.1-8B-Instruct"}, `;
  const formatSlices = (format: () => string): string => {
    if (size.slices === 0) return '';
    const slices = Array.from({ length: size.slices }, (_, i) => {
      const start = START_NS + BigInt(i) * SLICE_NS;
      return `{"start_ns": ${start}, "end_ns": ${start + SLICE_NS}, ${format()}}`;
    });
    return `, "timeslices": [${slices.join(',\n        ')}]`;
  };
  const value = (): number => size.factor * 100 * (0.95 + 0.1 * next());
  if (type === 'gauge')
    return `${prefix}"stats": ${formatGaugeStats(value())}${formatSlices(() => formatGaugeSlice(value()))}}`;
  if (type === 'counter')
    return `${prefix}"stats": ${formatCounterStats(value(), size)}${formatSlices(() => formatCounterSlice(value()))}}`;
  const avg = (): number => value() / 100;
  const count = 100 * Math.max(10, size.slices);
  return `${prefix}"stats": ${formatHistogramStats(avg(), count, size)}, "buckets": ${formatBuckets(count)}${formatSlices(() => formatHistogramSlice(avg()))}}`;
}

function formatGaugeStats(avg: number): string {
  const percentiles = [1, 5, 10, 25, 50, 75, 90, 95, 99].map(percent => [
    `p${percent}`,
    avg * (0.9 + percent / 500),
  ]);
  return JSON.stringify({
    avg,
    min: avg * 0.9,
    max: avg * 1.1,
    std: avg / 20,
    ...Object.fromEntries(percentiles),
  });
}

function formatGaugeSlice(avg: number): string {
  return `"avg": ${avg}, "min": ${avg * 0.9}, "max": ${avg * 1.1}`;
}

function formatCounterStats(rate: number, { slices }: ExportSize): string {
  return JSON.stringify({ total: rate * 2 * Math.max(10, slices), rate });
}

function formatCounterSlice(rate: number): string {
  return `"total": ${2 * rate}, "rate": ${rate}`;
}

function formatHistogramStats(avg: number, count: number, { slices }: ExportSize): string {
  const seconds = 2 * Math.max(10, slices);
  const percentiles = [1, 5, 10, 25, 50, 75, 90, 95, 99].map(percent => [
    `p${percent}_estimate`,
    avg * (0.5 + percent / 50),
  ]);
  const rates = { count_rate: count / seconds, sum_rate: (count * avg) / seconds };
  return JSON.stringify({ count, sum: count * avg, avg, ...rates, ...Object.fromEntries(percentiles) });
}

function formatHistogramSlice(avg: number): string {
  return `"count": 100, "sum": ${100 * avg}, "avg": ${avg}, "buckets": ${formatBuckets(100)}`;
}

/** Formats cumulative bucket counts that increase by the same amount from bucket to bucket. */
export function formatBuckets(count: number): string {
  const pairs = BOUNDS.map(
    (bound, i) => `"${bound}": ${Math.round((count * (i + 1)) / (BOUNDS.length + 1))}`,
  );
  return `{${pairs.join(', ')}, "+Inf": ${count}}`;
}
