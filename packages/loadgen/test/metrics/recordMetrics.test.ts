import { expect, test } from 'vitest';
import { listRecordMetrics } from '../../src/metrics/recordMetrics.ts';
import { computeRequestMetrics } from '../../src/metrics/requestMetrics.ts';
import { createRecord } from '../support/record.ts';

test.each([
  ['time_to_first_token', 50, 'ms'],
  ['time_to_second_token', 10, 'ms'],
  ['time_to_first_output_token', 50, 'ms'],
  ['inter_token_latency', 10, 'ms'],
  ['output_token_throughput_per_user', 100, 'tokens/sec/user'],
  ['prefill_throughput_per_user', 2000, 'tokens/sec/user'],
  ['stream_setup_latency', 26, 'ms'],
  ['stream_prefill_latency', 24, 'ms'],
  ['request_latency', 90, 'ms'],
  ['e2e_output_token_throughput', 5 / 0.09, 'tokens/sec/user'],
  ['output_token_count', 5, 'tokens'],
  ['output_sequence_length', 5, 'tokens'],
  ['input_sequence_length', 100, 'tokens'],
  ['requested_osl', 10, 'tokens'],
  ['osl_mismatch_diff_pct', -50, '%'],
  ['credit_drop_latency', 2, 'ms'],
])('computes %s', (tag, value, unit) => {
  const measured = computeRequestMetrics(createRecord())[tag]!;
  expect(measured.value).toBeCloseTo(value, 9);
  expect(measured.unit).toBe(unit);
});

test('completions have a time to the first output token, too', () => {
  expect(computeRequestMetrics(createRecord({ endpoint: 'completions' }))).toMatchObject({
    time_to_first_output_token: { value: 50 },
  });
});

test('inter_chunk_latency lists all gaps between chunks', () => {
  expect(computeRequestMetrics(createRecord()).inter_chunk_latency).toEqual({
    value: [10, 30],
    unit: 'ms',
  });
});

test('counts no gap between the reasoning and the output of one chunk', () => {
  const { arrivals } = createRecord();
  const timesNs = Float64Array.from([150e6, 160e6, 160e6, 190e6]);
  const record = createRecord({
    arrivals: { ...arrivals, timesNs, kinds: Uint8Array.of(1, 1, 2, 0), tokens: new Uint32Array(4) },
  });
  expect(computeRequestMetrics(record)).toMatchObject({
    time_to_second_token: { value: 10 },
    inter_chunk_latency: { value: [10, 30] },
  });
});

test('output_sequence_length includes reasoning', () => {
  const record = createRecord({ counted: { input: 1, output: 3, reasoning: 9 } });
  expect(computeRequestMetrics(record)).toMatchObject({
    output_token_count: { value: 3 },
    reasoning_token_count: { value: 9 },
    output_sequence_length: { value: 12 },
    thinking_efficiency: { value: 0.75 },
  });
});

test('lists streaming metrics only for streamed requests', () => {
  const [streamed, nonStreamed] = [true, false].map(streaming =>
    listRecordMetrics(streaming).map(({ tag }) => tag),
  );
  expect(nonStreamed).toContain('request_latency');
  expect(
    nonStreamed!.filter(tag => /token_latency|first|second_|per_user|chunk_latency|^stream/.test(tag)),
  ).toEqual([]);
  expect(streamed).toEqual(expect.arrayContaining(nonStreamed!));
  expect(new Set(streamed).size).toBe(streamed!.length);
});

test('a second chunk that arrived together with the first has no time to second token', () => {
  const arrivals = {
    timesNs: Float64Array.of(150e6, 150e6, 160e6),
    tokens: new Uint32Array(3),
    kinds: new Uint8Array(3),
    pieces: 3,
  };
  const metrics = computeRequestMetrics(createRecord({ arrivals }));
  expect(metrics).not.toHaveProperty('time_to_second_token');
  expect(metrics.inter_chunk_latency!.value).toEqual([0, 10]);
});
