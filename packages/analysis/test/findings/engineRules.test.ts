import { expect, test } from 'vitest';
import {
  createCounter,
  createGauge,
  createHistogram,
  createMetric,
  SECOND_NS,
  START_NS,
} from '../documents.ts';
import { findById, HEALTHY_METRICS, type Metrics } from './runs.ts';

const createAwake = (avg: number, slices?: readonly number[]): Metrics => ({
  'vllm:engine_sleep_state': createMetric('gauge', [
    {
      ...createGauge(avg, { labels: { engine: '0', sleep_state: 'awake' }, ...(slices && { slices }) }),
      stats: { avg, min: Math.floor(avg), max: 1 },
    },
    createGauge(1 - avg, { labels: { engine: '0', sleep_state: 'weights_offloaded' }, max: 1 }),
  ]),
});

test('an engine that slept for a part of profiling is named, with the time', () => {
  const metrics = { ...HEALTHY_METRICS, ...createAwake(0.75, [1, 1, 0.5, 0, 1, 1]) };
  const { severity, evidence } = findById('sleeping-engine', metrics)!;
  expect(severity).toBe('problem');
  expect(evidence).toEqual([
    {
      endpoint: 'localhost:8000',
      text: 'asleep for 25% of profiling (5 s)',
      numbers: { share: 0.25, seconds: 5 },
      magnitude: 0.25,
      range: { startNs: START_NS + 4n * SECOND_NS, endNs: START_NS + 8n * SECOND_NS },
    },
  ]);
});

test.each<[string, Metrics]>([
  ['was awake', createAwake(1)],
  ['reports values of unknown meaning', createAwake(7)],
  ['does not report its state', {}],
])('an engine is not asleep if it %s', (_, metrics) => {
  expect(findById('sleeping-engine', { ...HEALTHY_METRICS, ...metrics })).toBeUndefined();
});

test('output with NaN is a problem, however few requests have it', () => {
  const metrics = {
    ...HEALTHY_METRICS,
    'vllm:corrupted_requests': createMetric('counter', [createCounter(1)]),
    'vllm:request_success': createMetric('counter', [createCounter(250)]),
  };
  const { severity, evidence } = findById('corrupted-output', metrics)!;
  expect([severity, evidence[0]!.text]).toEqual([
    'problem',
    'NaN in the output of 1 of 250 completed requests',
  ]);
  expect(findById('failed-requests', metrics)).toBeUndefined();
});

test('no output is corrupted if the server counts none', () => {
  const counted = { 'vllm:corrupted_requests': createMetric('counter', [createCounter(0)]) };
  expect(findById('corrupted-output', { ...HEALTHY_METRICS, ...counted })).toBeUndefined();
});

const createDrafts = (accepted: number, drafted: number): Metrics => ({
  ...HEALTHY_METRICS,
  'vllm:spec_decode_num_draft_tokens': createMetric('counter', [createCounter(drafted)]),
  'vllm:spec_decode_num_accepted_tokens': createMetric('counter', [createCounter(accepted)]),
});

test.each([
  [0, 336, '0 of 336 draft tokens accepted (0%)'],
  [50, 1000, '50 of 1000 draft tokens accepted (5%)'],
])('%i accepted of %i draft tokens save nothing', (accepted, drafted, text) => {
  expect(findById('useless-speculation', createDrafts(accepted, drafted))!.evidence[0]!.text).toBe(text);
});

test.each([
  ['too few draft tokens to be certain', 0, 60],
  ['a rate whose interval includes 10%', 90, 1000],
  ['a usual acceptance rate', 700, 1000],
  ['counters that do not match', 20, 0],
])('speculation is not useless with %s', (_, accepted, drafted) => {
  expect(findById('useless-speculation', createDrafts(accepted, drafted))).toBeUndefined();
});

test.each([
  [3, '3 failed, 200 were completed'],
  [0, undefined],
])('%i failed transfers of KV cache', (failed, text) => {
  const metrics: Metrics = {
    ...HEALTHY_METRICS,
    'vllm:nixl_num_failed_transfers': createMetric('counter', [createCounter(failed)]),
    'vllm:nixl_xfer_time_seconds': createMetric('histogram', [createHistogram(200, 0.01)], 'seconds'),
  };
  expect(findById('failed-transfers', metrics)?.evidence[0]?.text).toBe(text);
});
