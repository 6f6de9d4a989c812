import { createRun, createRunFromView, type Run } from '@org/analysis';
import {
  createCounter,
  createDocument,
  createGauge,
  createHistogram,
  createMetric,
  downInfo,
  healthyInfo,
  URL_A,
  URL_B,
} from '../../../../packages/analysis/test/documents.ts';

/** Text that terminals and Markdown must not interpret. */
export const HOSTILE_TEXT = '\u001b[31m<img src=x onerror=alert(1)>|`*_@all\u202e';

/** Rising values of eight timeslices. */
export const RISING = [1, 2, 4, 8, 12, 20, 24, 30];

/** Creates the metrics of vLLM servers whose queue grows, with a full KV cache and preemptions. */
export function createVllmMetrics(urls: readonly string[]): Parameters<typeof createDocument>[0] {
  const createForEachUrl = (create: (url: string) => object): object[] => urls.map(create);
  return {
    'vllm:num_requests_running': createMetric(
      'gauge',
      createForEachUrl(url => createGauge(20, { url, slices: RISING })),
      'requests',
    ),
    'vllm:num_requests_waiting': createMetric(
      'gauge',
      createForEachUrl(url => createGauge(30, { url, slices: RISING })),
      'requests',
    ),
    'vllm:kv_cache_usage_perc': createMetric(
      'gauge',
      createForEachUrl(url => createGauge(0.9, { url, max: 1, slices: RISING })),
      'ratio',
    ),
    'vllm:num_preemptions': createMetric(
      'counter',
      createForEachUrl(url => createCounter(5, { url, slices: RISING })),
    ),
    'vllm:e2e_request_latency_seconds': createMetric(
      'histogram',
      createForEachUrl(url => createHistogram(100, 2, { url })),
      'seconds',
    ),
    'vllm:time_to_first_token_seconds': createMetric(
      'histogram',
      createForEachUrl(url => createHistogram(100, 1, { url })),
      'seconds',
    ),
    'vllm:inter_token_latency_seconds': createMetric(
      'histogram',
      createForEachUrl(url => createHistogram(100, 0.01, { url })),
      'seconds',
    ),
    'vllm:generation_tokens': createMetric(
      'counter',
      createForEachUrl(url => createCounter(4000, { url, slices: RISING })),
      'tokens',
    ),
  };
}

const CLUSTER_URLS = Array.from({ length: 12 }, (_, i) => `http://node${i}:8000/metrics`);
/** A run with twelve vLLM servers, and an endpoint that is down. */
export const CLUSTER: Run = createRunFromView(
  createDocument(
    createVllmMetrics(CLUSTER_URLS),
    Object.fromEntries([...CLUSTER_URLS.map(url => [url, healthyInfo] as const), [URL_B, downInfo]]),
  ),
  'cluster',
);

const VLLM = createVllmMetrics([URL_A]);

/**
 * Runs without metrics, without data of an endpoint, without a regular end, without a summary, or of an unknown
 * server.
 */
export const INCOMPLETE_RUNS = {
  empty: createRunFromView(createDocument({}, {}), 'empty'),
  endpointDown: createRunFromView(createDocument(VLLM, { [URL_A]: healthyInfo, [URL_B]: downInfo }), 'x'),
  recovered: createRunFromView(createDocument(VLLM, undefined, { was_cancelled: true }), 'x'),
  csv: createRun({
    name: 'x.csv',
    layout: 'csv',
    files: {},
    view: { schema_version: '1.0', metrics: createDocument(VLLM).metrics },
  }),
  unknownServer: createRunFromView(createDocument({ up: createMetric('gauge', [createGauge(1)]) }), 'x'),
} as const satisfies Readonly<Record<string, Run>>;

/** Creates a run whose name, labels, URLs and errors contain `HOSTILE_TEXT`. */
export function createHostileRun(): Run {
  const series = [HOSTILE_TEXT, 'b'].map((source, i) => createCounter(3 + i, { labels: { source } }));
  const infos = {
    'http://localhost:8000/metrics': { ...healthyInfo, last_error: HOSTILE_TEXT, scrapes_failed: 30 },
    [`http://${HOSTILE_TEXT}/`]: downInfo,
  };
  return createRunFromView(
    createDocument({ 'vllm:generation_tokens': createMetric('counter', series) }, infos),
    HOSTILE_TEXT,
  );
}
