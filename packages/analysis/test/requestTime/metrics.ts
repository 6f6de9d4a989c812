import { computeRequestTime, type RequestTime } from '../../src/requestTime/requestTime.ts';
import { createRun } from '../../src/run/run.ts';
import { createDocument, createHistogram, createMetric, healthyInfo, URL_A, URL_B } from '../documents.ts';

export type Metrics = Readonly<Record<string, object>>;

/** Creates histograms of latencies in seconds, with this number of observations. */
export function createLatencies(
  latencies: Readonly<Record<string, number>>,
  { count = 100, url = URL_A, slices = false } = {},
): Metrics {
  return Object.fromEntries(
    Object.entries(latencies).map(([name, avg]) => {
      const options = { url, ...(slices && { slices: [avg / 2, avg] }) };
      return [name, createMetric('histogram', [createHistogram(count, avg, options)], 'seconds')];
    }),
  );
}

/** Creates a histogram of the latency of requests with other statistics. */
export function createMetrics(stats: object): Metrics {
  const latency = createMetric('histogram', [createHistogram(100, 1, { stats })], 'seconds');
  return { 'vllm:e2e_request_latency_seconds': latency };
}

/** Mean latencies of vLLM, in seconds. */
export const VLLM = {
  'vllm:e2e_request_latency_seconds': 1,
  'vllm:time_to_first_token_seconds': 0.36,
  'vllm:request_queue_time_seconds': 0.2,
  'vllm:request_prefill_time_seconds': 0.1,
  'vllm:request_decode_time_seconds': 0.6,
};

/** Latency of the requests that the client measured, in ms. */
export interface Client {
  readonly count: number;
  readonly avg: number;
  readonly p50?: number;
  readonly p99?: number;
}

export function compute(metrics: Metrics, client?: Client): RequestTime | undefined {
  const view = createDocument(metrics, { [URL_A]: healthyInfo, [URL_B]: healthyInfo });
  const clientMetrics = client && new Map([['request_latency', { unit: 'ms', ...client }]]);
  return computeRequestTime(
    createRun({
      name: 'a',
      layout: 'json',
      files: {},
      view,
      ...(clientMetrics && { clientMetrics: clientMetrics as never }),
    }),
  );
}

/** Returns the means in ms by stage. */
export function readMeans(time: RequestTime | undefined): Record<string, number> {
  return Object.fromEntries(
    (time?.stages ?? []).map(({ stage, meanMs }) => [stage, Math.round(meanMs * 10) / 10]),
  );
}
