import type { EndpointRecord, RunRecord } from '../../src/runRecord.ts';
import { createEndpointRecord, createRunRecord, HEALTHY } from './runRecord.ts';

const createHistogram = (sum: number, count: number) => ({
  sum,
  count,
  buckets: { '1': Math.min(count, 2), '+Inf': count },
});

const TYPES = {
  process_start_time_seconds: 'gauge',
  requests: 'counter',
  errors: 'counter',
  errors_created: 'gauge',
  latency: 'histogram',
  ttft: 'histogram',
} as const;

const CREATED_S = 1_765_615_839;

/** A server that creates series at its first requests, and is restarted before second 5. */
const endpoint: EndpointRecord = {
  ...createEndpointRecord('http://a:1/metrics', TYPES, [
    [0, { process_start_time_seconds: 100, requests: 40, ttft: createHistogram(4, 4) }],
    [1, { process_start_time_seconds: 100, requests: 40, ttft: createHistogram(4, 4) }],
    [
      2,
      {
        process_start_time_seconds: 100,
        requests: 44,
        errors: 3,
        errors_created: CREATED_S,
        latency: createHistogram(3, 3),
        ttft: createHistogram(8.5, 7),
      },
    ],
    [
      3,
      {
        process_start_time_seconds: 100,
        requests: 50,
        errors: 3,
        errors_created: CREATED_S,
        latency: createHistogram(9, 6),
        ttft: createHistogram(9.25, 8),
      },
    ],
    [5, { process_start_time_seconds: 200, requests: 2, ttft: createHistogram(1.5, 2) }],
    [
      6,
      {
        process_start_time_seconds: 200,
        requests: 60,
        errors: 1,
        errors_created: CREATED_S + 4,
        latency: createHistogram(1, 1),
        ttft: createHistogram(20, 12),
      },
    ],
  ]),
  health: {
    ...HEALTHY,
    resets: [
      {
        at_ns: 1_765_615_842_721_140_145n,
        previous_ns: 1_765_615_840_721_140_145n,
        counters: 2,
        process_restarted: true,
      },
    ],
  },
};

/** A run with profiling from second 1.5 to second 6. */
export const coldRun: RunRecord = {
  ...createRunRecord([endpoint], 1, 6),
  period: { startNs: 1_765_615_839_221_140_145n, endNs: 1_765_615_843_721_140_145n },
};
