import { expect, test } from 'vitest';
import { createCounter, createHistogram, createMetric } from '../documents.ts';
import { findById, type Metrics } from './runs.ts';

test.each<[string, Metrics, RegExp]>([
  [
    'counter-resets',
    {
      'vllm:generation_tokens': createMetric('counter', [
        createCounter(5, { stats: { resets: 2, increase: 9 } }),
      ]),
    },
    /1 series reset up to 2 times, including vllm:generation_tokens/,
  ],
  [
    'counter-resets',
    {
      'vllm:e2e_request_latency_seconds': createMetric(
        'histogram',
        [createHistogram(9, 1, { extraFields: { buckets: null } })],
        'seconds',
      ),
    },
    /1 series reset once/,
  ],
  [
    'gauge-like-counter',
    { DCGM_FI_PROF_PCIE_TX_BYTES: createMetric('counter', [createCounter(5, { stats: { decreases: 40 } })]) },
    /DCGM_FI_PROF_PCIE_TX_BYTES decreased 40 times, without a restart of the server/,
  ],
])('reports %s', (id, metrics, text) => {
  const finding = findById(id, metrics);
  expect(finding?.evidence[0]?.text).toMatch(text);
  expect(finding?.advice).not.toBe('');
});

test('does not report the decreases of a counter that behaves like a gauge as resets', () => {
  const counter = createCounter(5, { stats: { decreases: 40 } });
  expect(findById('counter-resets', { DCGM_FI_PROF_PCIE_TX_BYTES: createMetric('counter', [counter]) })).toBe(
    undefined,
  );
});
