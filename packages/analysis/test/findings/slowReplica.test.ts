import { expect, test } from 'vitest';
import {
  createCounter,
  createGauge,
  createHistogram,
  createMetric,
  healthyInfo,
  URL_A,
  URL_B,
} from '../documents.ts';
import { findById, type Metrics } from './runs.ts';

const TWO_ENDPOINTS = { [URL_A]: healthyInfo, [URL_B]: healthyInfo };

interface Replica {
  /** Mean time between tokens, in seconds. */
  readonly token: number;
  /** Mean time between tokens in each slice. */
  readonly slices?: readonly number[];
  readonly requests?: number;
  readonly tokens?: number;
  readonly running?: number;
}

/** Creates the metrics of two replicas, or of two ranks of one. */
function createReplicas(a: Replica, b: Replica, isRank = false): Metrics {
  const create = (make: (replica: Replica, options: object) => object): object[] =>
    [a, b].map((replica, i) =>
      make(replica, isRank ? { labels: { engine: String(i) } } : { url: i === 0 ? URL_A : URL_B }),
    );
  return {
    'vllm:num_requests_running': createMetric(
      'gauge',
      create(({ running = 8 }, options) => createGauge(running, options)),
    ),
    'vllm:generation_tokens': createMetric(
      'counter',
      create((_, options) => createCounter(4000, options)),
    ),
    'vllm:e2e_request_latency_seconds': createMetric(
      'histogram',
      create(({ requests = 100, token }, options) => createHistogram(requests, 40 * token, options)),
      'seconds',
    ),
    'vllm:inter_token_latency_seconds': createMetric(
      'histogram',
      create(({ token, tokens = 4000, slices }, options) =>
        createHistogram(tokens, token, { ...options, ...(slices && { slices }) }),
      ),
      'seconds',
    ),
  };
}

const FAST: Replica = { token: 0.01, slices: [0.01, 0.011, 0.009, 0.01, 0.01, 0.01] };
const SLOW: Replica = { token: 0.016, slices: [0.016, 0.018, 0.014, 0.016, 0.016, 0.016] };

test('a replica whose tokens take longer in every slice is slow', () => {
  const finding = findById('slow-replica', createReplicas(FAST, SLOW), TWO_ENDPOINTS)!;
  expect(finding.evidence[0]).toMatchObject({
    endpoint: 'down:1',
    text: '16 ms per token (4000 observations), localhost:8000 10 ms: 1.6 times as long',
    numbers: { mean: 0.016, others: 0.01, observations: 4000, replicas: 2 },
  });
});

test('a rank of data parallelism is named by its label', () => {
  const finding = findById('slow-replica', createReplicas(FAST, SLOW, true))!;
  expect(finding.evidence[0]!.endpoint).toBe('localhost:8000 engine 1');
});

test('without timeslices, the buckets of the medians must not overlap', () => {
  const apart = createReplicas({ token: 0.01 }, { token: 0.05 });
  const close = createReplicas({ token: 0.01 }, { token: 0.016 });
  expect(findById('slow-replica', apart, TWO_ENDPOINTS)).toBeDefined();
  expect(findById('slow-replica', close, TWO_ENDPOINTS)).toBeUndefined();
});

test.each<[string, Replica, Replica]>([
  ['replicas are about as fast', FAST, { token: 0.013, slices: [0.013, 0.013, 0.013, 0.013, 0.013, 0.013] }],
  ['the slower one received more requests', FAST, { ...SLOW, requests: 300 }],
  ['there are few observations', FAST, { ...SLOW, tokens: 30 }],
  [
    'the other one is slower in some of the slices',
    { token: 0.01, slices: [0.03, 0.03, 0.01, 0.01, 0.01, 0.01] },
    SLOW,
  ],
  ['there are few slices and no certain bounds', FAST, { ...SLOW, slices: [0.016, 0.016, 0.016] }],
])('there is no slow replica if %s', (_, a, b) => {
  expect(findById('slow-replica', createReplicas(a, b), TWO_ENDPOINTS)).toBeUndefined();
});

test('the verdict on the load names a slow replica only once', () => {
  const metrics = createReplicas({ ...FAST, running: 2 }, { token: 0.05, running: 20 });
  expect(findById('replica-imbalance', metrics, TWO_ENDPOINTS)!.title).toBe('a replica is slow');
  expect(findById('slow-replica', metrics, TWO_ENDPOINTS)).toBeUndefined();
});
