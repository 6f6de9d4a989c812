import { describe, expect, test } from 'vitest';
import { PhaseMetrics, type PhaseMetricsOptions, type TimedRequest } from '../../src/metrics/phaseMetrics.ts';
import type { RequestMetrics } from '../../src/metrics/requestMetrics.ts';

const MS = 1e6;

interface Request {
  readonly startMs: number;
  readonly endMs: number;
  readonly intendedMs?: number;
  readonly firstTokenMs?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly gapsMs?: readonly number[];
  readonly histogram?: readonly number[];
}

function toRecord({ startMs, endMs, intendedMs, histogram }: Request): TimedRequest {
  return {
    startNs: startMs * MS,
    endNs: endMs * MS,
    intendedNs: intendedMs === undefined ? undefined : intendedMs * MS,
    speculation: histogram && { histogram },
  };
}

function toMetrics({ firstTokenMs, inputTokens, outputTokens, gapsMs }: Request): RequestMetrics {
  const values = {
    time_to_first_token: firstTokenMs,
    input_sequence_length: inputTokens,
    output_sequence_length: outputTokens,
    inter_chunk_latency: gapsMs,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([tag, value]) =>
      value === undefined ? [] : [[tag, { value, unit: '' }]],
    ),
  );
}

function createMetrics(
  requests: readonly Request[],
  options: Partial<PhaseMetricsOptions> = {},
): PhaseMetrics {
  const metrics = new PhaseMetrics({ streaming: true, ...options });
  for (const request of requests) metrics.add(toRecord(request), toMetrics(request));
  return metrics;
}

/** 100 input tokens in the first 100 ms, then 11 output tokens in 200 ms. */
const STREAM: Request = { startMs: 0, firstTokenMs: 100, endMs: 300, inputTokens: 100, outputTokens: 11 };

describe('the load over time', () => {
  test('includes failed requests, and the time before the first request', () => {
    const blocks = createMetrics([
      { startMs: 100, endMs: 300 },
      { startMs: 200, endMs: 400 },
    ]).toBlocks(0);
    expect(blocks.effective_concurrency).toEqual({
      unit: 'requests',
      avg: 1,
      p50: 1,
      p90: 2,
      p95: 2,
      p99: 2,
      min: 0,
      max: 2,
      std: Math.sqrt(0.5),
    });
  });

  test('separates the time before the first token from the time after it', () => {
    const blocks = createMetrics([STREAM]).toBlocks(0);
    const averages = Object.entries(blocks).map(([tag, { avg }]) => [tag, Math.round(avg! * 1e9) / 1e9]);
    expect(Object.fromEntries(averages)).toEqual({
      effective_concurrency: 1,
      effective_decode_concurrency: 0.666666667,
      effective_prefill_concurrency: 0.333333333,
      effective_decode_throughput: 33.333333333,
      effective_prefill_throughput: 333.333333333,
      effective_total_throughput: 366.666666667,
      effective_decode_throughput_per_user: 33.333333333,
      effective_prefill_throughput_per_user: 333.333333333,
      tokens_in_flight: 107.333333333,
      active_decode_throughput: 50,
      active_prefill_throughput: 1000,
      active_decode_throughput_per_user: 50,
      active_prefill_throughput_per_user: 1000,
      active_total_throughput: 366.666666667,
    });
  });

  test('spreads output tokens over the gaps between chunks', () => {
    const { effective_decode_throughput: throughput, tokens_in_flight: tokens } = createMetrics([
      { ...STREAM, gapsMs: [50, 0, 150] },
    ]).toBlocks(0);
    // 5 of the 10 tokens after the first in 50 ms, the others in 150 ms.
    expect(throughput).toMatchObject({ max: 100, min: 0, p90: 100 });
    expect(throughput!.avg).toBeCloseTo(100 / 3, 9);
    // The last chunk is the end of the request.
    expect(tokens!.max).toBeCloseTo(111, 6);
    expect(tokens!.p90).toBeCloseTo(101 + 20 / 3, 9);
  });

  test('divides by the number of users at the same time', () => {
    const { active_decode_throughput: total, active_decode_throughput_per_user: perUser } = createMetrics([
      STREAM,
      { ...STREAM, endMs: 200, outputTokens: 31 },
    ]).toBlocks(0);
    expect(total!.max).toBeCloseTo(350, 9);
    expect(perUser!.max).toBeCloseTo(175, 9);
    expect(perUser!.min).toBeCloseTo(50, 9);
  });

  test('without streaming, only the concurrency is known', () => {
    const metrics = createMetrics([{ startMs: 0, endMs: 10 }], { streaming: false });
    expect(Object.keys(metrics.toBlocks(0))).toEqual(['effective_concurrency']);
  });

  test('a range includes the requests that started before it', () => {
    const ranges = [
      [0, 150],
      [150, 300],
      [400, 500],
    ].map(([start, end]) => ({
      startNs: start! * MS,
      endNs: end! * MS,
    }));
    const blocks = createMetrics([STREAM]).toRangeBlocks(ranges);
    expect(blocks.map(range => range.effective_concurrency!.avg)).toEqual([1, 1, 0]);
    expect(blocks.map(range => Math.round(range.active_decode_throughput!.avg!))).toEqual([50, 50, 0]);
  });

  test('without requests, there are no metrics', () => {
    expect(createMetrics([]).toBlocks(0)).toEqual({});
  });
});

describe('bounded memory', () => {
  /** Requests that overlap, with two gaps each. */
  const REQUESTS = Array.from({ length: 1000 }, (_, index) => ({
    ...STREAM,
    startMs: index * 7,
    endMs: index * 7 + 300 + (index % 5),
    gapsMs: [80, 120],
  }));

  test('above the maximum number of gaps, tokens are spread evenly', () => {
    const even = createMetrics(REQUESTS.map(({ gapsMs: _, ...request }) => request)).toBlocks(0);
    expect(createMetrics(REQUESTS, { maxGaps: 1000 }).toBlocks(0)).toEqual(even);
  });

  test('above the maximum number of requests, times have a resolution', () => {
    const exact = createMetrics(REQUESTS, { maxGaps: 0 }).toBlocks(0);
    const rounded = createMetrics(REQUESTS, { maxRequests: 64 }).toBlocks(0);
    expect(exact.effective_concurrency).not.toHaveProperty('time_resolution_ms');
    for (const [tag, block] of Object.entries(rounded)) {
      expect(block.time_resolution_ms, tag).toBe(1);
      expect(block.avg, tag).toBeCloseTo(exact[tag]!.avg!, 6);
      expect(block.p99, tag).toBeCloseTo(exact[tag]!.p99!, 6);
    }
  });

  test('a longer run has a coarser resolution', () => {
    const day = 24 * 3600 * 1000;
    const requests = Array.from({ length: 200 }, (_, index) => ({
      startMs: (index * day) / 200,
      endMs: (index * day) / 200 + day / 400,
    }));
    const { effective_concurrency: concurrency } = createMetrics(requests, { maxRequests: 10 }).toBlocks(0);
    expect(concurrency!.time_resolution_ms).toBe(128);
    expect(concurrency!.avg).toBeCloseTo(0.5, 2);
  });
});

describe('delays against the schedule', () => {
  const REQUESTS: readonly Request[] = [
    { intendedMs: 0, startMs: 2, endMs: 12 },
    { intendedMs: 10, startMs: 16, endMs: 40 },
    { intendedMs: 20, startMs: 19, endMs: 30 },
    { startMs: 30, endMs: 31 },
  ];

  test('include the wait until a request is sent', () => {
    const blocks = createMetrics(REQUESTS).toBlocks(0);
    expect(blocks.credit_to_start_latency).toMatchObject({
      unit: 'ms',
      count: 3,
      min: 0,
      p50: 2,
      max: 6,
      sum: 8,
    });
    expect(blocks.effective_latency).toMatchObject({ unit: 'ms', count: 3, min: 10, p50: 12, max: 30 });
    expect(blocks).not.toHaveProperty('replay_sched_degraded');
  });

  test('are relative to the least late request of a replay', () => {
    const blocks = createMetrics(REQUESTS, { fixedSchedule: true }).toBlocks(0);
    expect(blocks).toMatchObject({
      replay_sched_lag_p50: { unit: 'ms', avg: 3 },
      replay_sched_lag_p90: { unit: 'ms', avg: expect.closeTo(6.2, 9) },
      replay_sched_lag_p99: { unit: 'ms', avg: expect.closeTo(6.92, 9) },
      replay_sched_degraded: { unit: 'count', avg: 0 },
    });
  });

  test('of more than half a second degrade a replay', () => {
    const late = [...REQUESTS, { intendedMs: 0, startMs: 900, endMs: 901 }];
    expect(createMetrics(late, { fixedSchedule: true }).toBlocks(0).replay_sched_degraded!.avg).toBe(1);
  });
});

test('adds up the steps of speculative decoding by accepted tokens', () => {
  const request = { startMs: 0, endMs: 1 };
  const metrics = createMetrics([
    request,
    { ...request, histogram: [1, 0, 2] },
    { ...request, histogram: [3, 0, 0, 4] },
  ]);
  expect(metrics.acceptanceHistogram).toEqual({ 0: 4, 2: 2, 3: 4 });
  expect(createMetrics([request]).acceptanceHistogram).toBeUndefined();
});
