import type { SeriesChunk } from '@org/formats/parquet';
import { createRandom } from '../measure/random.ts';

/** Number of scrapes per hour at 3 Hz. */
const SCRAPES_PER_HOUR = 10_800;
const INTERVAL_NS = 333_000_000n;
const START_NS = 1_765_793_061_967_310_848n;

interface ScalarMetric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly unit: string | null;
  readonly start: number;
  /** Returns the next value. */
  readonly next: (value: number, random: () => number) => number;
}

interface HistogramMetric {
  readonly name: string;
  readonly unit: string;
  readonly bounds: readonly string[];
  /** Mean number of observations per scrape interval. */
  readonly perScrape: number;
  /** Mean and standard deviation of the natural logarithm of the observations. */
  readonly mean: number;
  readonly spread: number;
}

const LATENCY = parseBounds(
  '0.3 0.5 0.8 1.0 1.5 2.0 2.5 5.0 10.0 15.0 20.0 30.0 40.0 50.0 60.0 120.0 240.0 480.0 960.0 1920.0 7680.0',
);
const FIRST_TOKEN = parseBounds(
  '0.001 0.005 0.01 0.02 0.04 0.06 0.08 0.1 0.25 0.5 0.75 1.0 2.5 5.0 7.5 10.0 20.0 40.0 80.0 160.0 640.0 2560.0',
);
const TOKENS = parseBounds(
  '1.0 2.0 5.0 10.0 20.0 50.0 100.0 200.0 500.0 1000.0 2000.0 5000.0 10000.0 20000.0 50000.0',
);

const SCALARS: readonly ScalarMetric[] = [
  {
    name: 'process_cpu_seconds',
    type: 'counter',
    unit: 'seconds',
    start: 0,
    next: (value, random) => value + Math.round(random() * 40) / 100,
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    unit: 'bytes',
    start: 5e9,
    next: (value, random) => (random() < 0.02 ? value + 4096 * Math.floor(random() * 1000) : value),
  },
  {
    name: 'vllm:generation_tokens',
    type: 'counter',
    unit: 'tokens',
    start: 0,
    next: (value, random) => value + Math.floor(random() * 1500),
  },
  {
    name: 'vllm:kv_cache_usage_perc',
    type: 'gauge',
    unit: 'ratio',
    start: 0.5,
    next: (value, random) => Math.min(1, Math.max(0, value + (Math.floor(random() * 41) - 20) / 16_000)),
  },
  { name: 'vllm:num_preemptions', type: 'counter', unit: null, start: 0, next: value => value },
  {
    name: 'vllm:num_requests_running',
    type: 'gauge',
    unit: 'requests',
    start: 30,
    next: (value, random) => Math.max(0, value + Math.floor(random() * 5) - 2),
  },
  { name: 'vllm:num_requests_waiting', type: 'gauge', unit: 'requests', start: 0, next: value => value },
  {
    name: 'vllm:prompt_tokens',
    type: 'counter',
    unit: 'tokens',
    start: 0,
    next: (value, random) => value + Math.floor(random() * 9000),
  },
  {
    name: 'vllm:request_success',
    type: 'counter',
    unit: 'requests',
    start: 0,
    next: (value, random) => value + Math.floor(random() * 4),
  },
];

const HISTOGRAMS: readonly HistogramMetric[] = [
  {
    name: 'vllm:e2e_request_latency_seconds',
    unit: 'seconds',
    bounds: LATENCY,
    perScrape: 1.7,
    mean: 2.5,
    spread: 0.6,
  },
  {
    name: 'vllm:inter_token_latency_seconds',
    unit: 'seconds',
    bounds: FIRST_TOKEN,
    perScrape: 60,
    mean: -4,
    spread: 0.6,
  },
  {
    name: 'vllm:request_decode_time_seconds',
    unit: 'seconds',
    bounds: LATENCY,
    perScrape: 1.7,
    mean: 2,
    spread: 0.6,
  },
  {
    name: 'vllm:request_generation_tokens',
    unit: 'tokens',
    bounds: TOKENS,
    perScrape: 1.7,
    mean: 5,
    spread: 0.8,
  },
  {
    name: 'vllm:request_prompt_tokens',
    unit: 'tokens',
    bounds: TOKENS,
    perScrape: 1.7,
    mean: 6,
    spread: 0.8,
  },
  {
    name: 'vllm:request_queue_time_seconds',
    unit: 'seconds',
    bounds: LATENCY,
    perScrape: 1.7,
    mean: -3,
    spread: 1,
  },
  {
    name: 'vllm:time_to_first_token_seconds',
    unit: 'seconds',
    bounds: FIRST_TOKEN,
    perScrape: 1.7,
    mean: -1,
    spread: 0.8,
  },
];

/** Number of Parquet rows per scrape of one endpoint: one per scalar, and one per histogram bucket. */
export const ROWS_PER_SCRAPE: number =
  SCALARS.length + HISTOGRAMS.reduce((sum, metric) => sum + metric.bounds.length, 0);

/**
 * Generates the series of busy vLLM servers with about `rows` rows, sorted by metric. Each endpoint covers
 * about one hour; for fewer rows than that, there is one endpoint with a shorter duration. The same arguments
 * produce the same series.
 */
export function* generateSeries(rows: number): Generator<SeriesChunk> {
  const endpoints = countEndpoints(rows);
  const count = Math.max(1, Math.round(rows / (ROWS_PER_SCRAPE * endpoints)));
  const random = createRandom(1);
  const times = Array.from({ length: endpoints }, (_, i) => createTimestamps(count, i, random));
  const metrics = [...SCALARS, ...HISTOGRAMS].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const metric of metrics) {
    for (let endpoint = 0; endpoint < endpoints; endpoint++) {
      yield {
        endpointUrl: formatEndpointUrl(endpoint),
        metricName: metric.name,
        unit: metric.unit,
        description: `What ${metric.name} means, in a sentence of HELP text.`,
        labels: metric.name.startsWith('vllm:')
          ? [
              ['engine', '0'],
              ['model_name', 'Qwen/Qwen3-0.6B'],
            ]
          : [],
        timestampsNs: times[endpoint]!,
        ...('bounds' in metric
          ? createHistogram(metric, count, random)
          : createScalar(metric, count, random)),
      };
    }
  }
}

function createTimestamps(count: number, endpoint: number, random: () => number): BigInt64Array {
  let now = START_NS + BigInt(endpoint) * 1_000_000n;
  return BigInt64Array.from({ length: count }, () => {
    now += INTERVAL_NS + BigInt(Math.floor(random() * 2_000_000));
    return now;
  });
}

function createScalar({ type, start, next }: ScalarMetric, count: number, random: () => number) {
  let value = start;
  const values = Float64Array.from({ length: count }, () => {
    value = next(value, random);
    return value;
  });
  return { metricType: type, values };
}

function createHistogram(metric: HistogramMetric, count: number, random: () => number) {
  const limits = metric.bounds.map(le => (le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)));
  const cumulative = new Float64Array(limits.length);
  const bucketCounts = limits.map(() => new Float64Array(count));
  const sums = new Float64Array(count);
  const counts = new Float64Array(count);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    for (let n = drawPoisson(metric.perScrape, random); n > 0; n--) {
      const value = Math.exp(metric.mean + (random() + random() + random() - 1.5) * 2 * metric.spread);
      const observed = metric.unit === 'tokens' ? Math.ceil(value) : value;
      sum += observed;
      for (let bucket = limits.length - 1; bucket >= 0 && observed <= limits[bucket]!; bucket--)
        cumulative[bucket]!++;
    }
    for (let bucket = 0; bucket < limits.length; bucket++) bucketCounts[bucket]![i] = cumulative[bucket]!;
    sums[i] = sum;
    counts[i] = cumulative.at(-1)!;
  }
  return {
    metricType: 'histogram' as const,
    histogram: { sums, counts, bounds: metric.bounds, bucketCounts },
  };
}

function drawPoisson(mean: number, random: () => number): number {
  // Knuth's method. Large means are split into parts of at most 30, for which exp(-mean) does not underflow.
  let count = 0;
  for (let remainingMean = mean; remainingMean > 0; remainingMean -= 30) {
    const threshold = Math.exp(-Math.min(remainingMean, 30));
    for (let product = random(); product > threshold; product *= random()) count++;
  }
  return count;
}

function parseBounds(finite: string): readonly string[] {
  return [...finite.split(' '), '+Inf'];
}

/** Lists the endpoints of the series that `generateSeries` generates. */
export function listEndpointUrls(rows: number): string[] {
  return Array.from({ length: countEndpoints(rows) }, (_, endpoint) => formatEndpointUrl(endpoint));
}

function countEndpoints(rows: number): number {
  return Math.max(1, Math.round(rows / (ROWS_PER_SCRAPE * SCRAPES_PER_HOUR)));
}

function formatEndpointUrl(endpoint: number): string {
  return `http://node${endpoint}:8000/metrics`;
}
