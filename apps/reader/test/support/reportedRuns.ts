import { createRunFromView, type Run } from '@org/analysis';
import {
  counter,
  type document,
  gauge,
  histogram,
  metric,
  URL_B,
} from '../../../../packages/analysis/test/documents.ts';

/** Metrics of a vLLM server with three timeslices of 2 s. The gauges have two endpoints. */
export const VLLM_METRICS = {
  'vllm:num_requests_running': metric('gauge', [
    gauge(4, { slices: [2, 4, 6] }),
    gauge(4, { slices: [1, 1, 1], url: URL_B }),
  ]),
  'vllm:kv_cache_usage_perc': metric('gauge', [
    gauge(0.4, { slices: [0.2, 0.4, 0.6] }),
    gauge(0.9, { slices: [0.9, 0.1, 0.1], url: URL_B }),
  ]),
  'vllm:generation_tokens': metric('counter', [counter(120, { slices: [10, 20, 30] })], 'tokens'),
  'vllm:e2e_request_latency_seconds': metric(
    'histogram',
    [histogram(150, 2, { slices: [1, 2, 3] })],
    'seconds',
  ),
};

/** Creates a run from metrics only. */
export function createMetricRun(metrics: Parameters<typeof document>[0], name = 'run'): Run {
  const view = { schema_version: '1.0', metrics } as unknown as Parameters<typeof createRunFromView>[0];
  return createRunFromView(view, name);
}
