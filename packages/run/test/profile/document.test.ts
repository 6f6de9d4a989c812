import { computeRequestMetrics, type LoadSummary, ProfileMetrics } from '@org/loadgen';
import { expect, test } from 'vitest';
import { createProfileDocument } from '../../src/profile/document.ts';
import { createParts, ORIGIN_NS } from './parts.ts';
import { createRecord } from './records.ts';

const SUMMARY = {
  phases: [
    { phase: 'warmup', unsent: 9, stopReason: 'requests' },
    { phase: 'profiling', unsent: 2, stopReason: 'duration' },
  ],
  originNs: ORIGIN_NS,
  tokenizer: 'server',
  workers: 2,
  sendDelay: { p99Ns: 2e6, maxNs: 3e6 },
  eventLoopDelay: { p99Ns: 4e6, maxNs: 5e6 },
  clientBusy: 0.25,
  warnings: [{ kind: 'late_sends', message: 'requests were sent late' }],
  lostWorkers: [],
  wasCancelled: false,
} as unknown as LoadSummary;

test('contains the times of the run and of its requests', () => {
  expect(createProfileDocument(createParts())).toMatchObject({
    schema_version: '1.3',
    aiperf_version: '0.13.0',
    servelens_version: '1.2.3',
    start_time: '2026-11-21T08:15:30.000000Z',
    end_time: '2026-11-21T08:15:32.000000Z',
    min_request_timestamp: { unit: 'ns', avg: ORIGIN_NS + 500_000_000n },
    max_response_timestamp: { unit: 'ns', avg: ORIGIN_NS + 1_450_000_000n },
    was_cancelled: false,
  });
});

test('describes the load generator in the profiling phase', () => {
  const { load_generator } = createProfileDocument(createParts({ summary: SUMMARY }));
  expect(load_generator).toEqual({
    tokenizer: 'server',
    token_source: 'client',
    workers: 2,
    event_loop_delay_p99_ms: 4,
    event_loop_delay_max_ms: 5,
    event_loop_utilization: 0.25,
    send_delay_p99_ms: 2,
    send_delay_max_ms: 3,
    unsent_requests: 2,
    stop_reason: 'duration',
    warnings: [{ kind: 'late_sends', message: 'requests were sent late' }],
  });
});

test('omits the load summary of a killed run, and records its recovery', () => {
  const recovered = { requests: 2, lines_dropped: 1 };
  const document = createProfileDocument(createParts({ workers: 4, recovered, cancelled: true }));
  expect(document.load_generator).toEqual({
    tokenizer: 'o200k_base',
    token_source: 'client',
    workers: 4,
  });
  expect(document).toMatchObject({ recovered, was_cancelled: true });
});

test('has the metrics of each URL, whose rates add up to the rate of the run', () => {
  const parts = createParts();
  const byUrl = new Map([0, 1].map(index => [index, new ProfileMetrics({ streaming: true })]));
  const record = createRecord(5e8, { lastTokenNs: 9e8, endNs: 9e8 });
  byUrl.get(1)!.add(record, computeRequestMetrics(record));
  const inputConfig = { endpoint: { urls: ['a:1', 'b:1'] } };
  const { url_metrics } = createProfileDocument({ ...parts, byUrl, inputConfig });
  const { span } = parts.metrics;
  expect(url_metrics).toMatchObject([
    { url_index: 0, url: 'a:1' },
    {
      url_index: 1,
      url: 'b:1',
      metrics: {
        request_count: { avg: 1 },
        request_latency: { avg: 400, count: 1 },
        request_throughput: { avg: 1e9 / (span!.endNs - span!.startNs) },
      },
    },
  ]);
  expect(createProfileDocument(parts)).not.toHaveProperty('url_metrics');
});
