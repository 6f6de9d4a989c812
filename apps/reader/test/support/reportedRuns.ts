import { createRunFromView, type Run } from '@org/analysis';
import {
  createCounter,
  type createDocument,
  createGauge,
  createHistogram,
  createMetric,
  URL_B,
} from '../../../../packages/analysis/test/documents.ts';

/** Metrics of a vLLM server with three timeslices of 2 s. The gauges have two endpoints. */
export const VLLM_METRICS = {
  'vllm:num_requests_running': createMetric('gauge', [
    createGauge(4, { slices: [2, 4, 6] }),
    createGauge(4, { slices: [1, 1, 1], url: URL_B }),
  ]),
  'vllm:kv_cache_usage_perc': createMetric('gauge', [
    createGauge(0.4, { slices: [0.2, 0.4, 0.6] }),
    createGauge(0.9, { slices: [0.9, 0.1, 0.1], url: URL_B }),
  ]),
  'vllm:generation_tokens': createMetric('counter', [createCounter(120, { slices: [10, 20, 30] })], 'tokens'),
  'vllm:e2e_request_latency_seconds': createMetric(
    'histogram',
    [createHistogram(150, 2, { slices: [1, 2, 3] })],
    'seconds',
  ),
};

/** Creates a run from metrics only. */
export function createMetricRun(metrics: Parameters<typeof createDocument>[0], name = 'run'): Run {
  const view = { schema_version: '1.0', metrics } as unknown as Parameters<typeof createRunFromView>[0];
  return createRunFromView(view, name);
}
