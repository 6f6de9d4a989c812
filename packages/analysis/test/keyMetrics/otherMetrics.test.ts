import { expect, test } from 'vitest';
import { findKeyMetrics } from '../../src/keyMetrics/keyMetrics.ts';
import { selectOtherMetrics } from '../../src/keyMetrics/otherMetrics.ts';
import { createRunFromView, type Run } from '../../src/run/run.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createHistogram,
  createMetric,
  healthyInfo,
  URL_A,
  URL_B,
} from '../documents.ts';

type Metrics = Parameters<typeof createDocument>[0];

/** Metrics of servers without a definition. */
const UNKNOWN: Metrics = {
  'otherlm:prompt_tokens': createMetric('counter', [createCounter(15_504)]),
  'otherlm:tokens_predicted': createMetric('counter', [createCounter(6020)]),
  'otherlm:spec_decode_num_drafts': createMetric('counter', [createCounter(0)]),
  'otherlm:requests_processing': createMetric('gauge', [createGauge(3, { max: 4 })]),
  'otherlm:slots': createMetric('gauge', [{ endpoint_url: URL_A, stats: { avg: 4, min: 4, max: 4 } }]),
  gateway_http_request_duration_seconds: createMetric('histogram', [createHistogram(73, 0.04)], 'seconds'),
  gateway_worker_latency_seconds: createMetric('histogram', [createHistogram(0, 1)], 'seconds'),
  process_cpu_seconds: createMetric('counter', [createCounter(99_999)]),
  build_info: createMetric('gauge', [createGauge(1)]),
};

function createTestRun(metrics: Metrics): Run {
  return createRunFromView(createDocument(metrics, { [URL_A]: healthyInfo, [URL_B]: healthyInfo }));
}

test('selects busy counters, gauges that moved and observed histograms of unknown servers', () => {
  expect(selectOtherMetrics(createTestRun(UNKNOWN)).map(({ metric }) => [metric.name, metric.stat])).toEqual([
    ['otherlm:prompt_tokens', 'rate'],
    ['otherlm:tokens_predicted', 'rate'],
    ['otherlm:requests_processing', 'avg'],
    ['gateway_http_request_duration_seconds', 'p99_estimate'],
  ]);
});

test('selects at most six metrics of each type', () => {
  const counters = Array.from({ length: 9 }, (_, i) => [
    `requests_${i}`,
    createMetric('counter', [createCounter(i + 1)]),
  ]);
  const names = selectOtherMetrics(createTestRun(Object.fromEntries(counters))).map(
    ({ metric }) => metric.name,
  );
  expect(names).toEqual(['requests_8', 'requests_7', 'requests_6', 'requests_5', 'requests_4', 'requests_3']);
});

test('lists the metrics of unknown servers with their median', () => {
  const [server, ...others] = findKeyMetrics(createTestRun(UNKNOWN));
  expect([server!.server.name, others]).toEqual(['Unknown server', []]);
  const latency = server!.metrics.find(({ type }) => type === 'histogram')!;
  expect(latency).toMatchObject({ showsMedian: true, stats: { p50_estimate: 0.04, p99_estimate: 0.156 } });
});

test('ignores other metrics of an endpoint that has a known server', () => {
  const metrics = {
    'vllm:num_requests_running': createMetric('gauge', [createGauge(2)]),
    http_requests: createMetric('counter', [createCounter(9), createCounter(7, { url: URL_B })]),
  };
  const groups = findKeyMetrics(createTestRun(metrics));
  expect(groups.map(({ server }) => server.name)).toEqual(['vLLM', 'Other metrics']);
  expect(groups[1]!.metrics.map(({ endpointUrl }) => endpointUrl)).toEqual([URL_B]);
});
