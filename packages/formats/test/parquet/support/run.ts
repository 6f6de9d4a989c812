import type { SeriesChunk } from '../../../src/parquet/index.ts';
import { buildHistogram, buildScalar, createTimestamps } from './chunks.ts';

const BOUNDS = ['0.3', '1.0', '5.0', '10.0', '+Inf'] as const;

/** Creates a small run on two endpoints with the metrics of the documented queries, sorted by metric. */
export function createExampleRun(
  model = 'Qwen/Qwen3-0.6B',
  extraLabels: Readonly<Record<string, string>> = {},
): SeriesChunk[] {
  const urls = ['http://node1:8000/metrics', 'http://node2:8000/metrics'];
  const times = createTimestamps(20);
  const steps = Array.from(times, (_, i) => i);
  const labels = { model_name: model, ...extraLabels };
  return [
    ...urls.map(url =>
      buildHistogram(
        'vllm:e2e_request_latency_seconds',
        BOUNDS,
        steps.map(i => [i >> 2, i >> 1, i, i, i + 1]),
        {
          url,
          labels,
          unit: 'seconds',
          description: 'Histogram of e2e request latency.',
          timestampsNs: times,
        },
      ),
    ),
    ...urls.map((url, endpoint) =>
      buildScalar(
        'vllm:kv_cache_usage_perc',
        'gauge',
        steps.map(i => (i + endpoint) / 20),
        { url, labels, unit: 'ratio', description: 'KV-cache usage.', timestampsNs: times },
      ),
    ),
    ...urls.map(url =>
      buildScalar(
        'vllm:request_success',
        'counter',
        steps.map(i => i * 10),
        { url, labels: { ...labels, finished_reason: 'stop' }, timestampsNs: times },
      ),
    ),
  ];
}
