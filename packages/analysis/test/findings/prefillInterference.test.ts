import { expect, test } from 'vitest';
import {
  createCounter,
  createGauge,
  createHistogram,
  createMetric,
  SECOND_NS,
  START_NS,
} from '../documents.ts';
import { findById, type Metrics } from './runs.ts';

/** Prompts in the middle of the run, in tokens per second. */
const BURST = [100, 100, 100, 20_000, 20_000, 20_000, 100, 100, 100];

function createSlices(
  prompts: readonly number[],
  itl: readonly number[],
  running: readonly number[],
): Metrics {
  return {
    'vllm:prompt_tokens': createMetric('counter', [createCounter(60_000, { slices: prompts })]),
    'vllm:inter_token_latency_seconds': createMetric(
      'histogram',
      [createHistogram(450, 0.02, { slices: itl })],
      'seconds',
    ),
    'vllm:num_requests_running': createMetric('gauge', [createGauge(8, { slices: running })]),
  };
}

const SLOW = [0.01, 0.011, 0.01, 0.05, 0.06, 0.05, 0.01, 0.012, 0.01];
const EVEN = BURST.map(() => 8);

test('tokens that are slower during prompts are delayed by them, and the time is named', () => {
  expect(findById('prefill-interference', createSlices(BURST, SLOW, EVEN))!.evidence[0]).toMatchObject({
    endpoint: 'localhost:8000',
    text: '50 ms per token at 20K tokens/s of prompts, 10 ms at 100; 8 and 8 running',
    range: { startNs: START_NS + 6n * SECOND_NS, endNs: START_NS + 12n * SECOND_NS },
  });
});

test.each<[string, Metrics]>([
  [
    'the prefill is even',
    createSlices(
      BURST.map(() => 5000),
      SLOW,
      EVEN,
    ),
  ],
  [
    'tokens are about as fast',
    createSlices(
      BURST,
      SLOW.map(value => 0.01 + value / 10),
      EVEN,
    ),
  ],
  ['a larger batch explains it', createSlices(BURST, SLOW, [8, 8, 8, 40, 40, 40, 8, 8, 8])],
  [
    'tokens are as slow without prompts',
    createSlices(BURST, [0.01, 0.06, 0.01, 0.05, 0.05, 0.05, 0.01, 0.06, 0.06], EVEN),
  ],
  ['there are few slices', createSlices(BURST.slice(1), SLOW.slice(1), EVEN.slice(1))],
])('prefill does not delay tokens if %s', (_, metrics) => {
  expect(findById('prefill-interference', metrics)).toBeUndefined();
});
