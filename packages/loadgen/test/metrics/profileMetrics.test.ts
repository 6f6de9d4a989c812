import { describe, expect, test } from 'vitest';
import { createFailure } from '../../src/failure.ts';
import { parseGoodput } from '../../src/metrics/goodput.ts';
import { ProfileMetrics } from '../../src/metrics/profileMetrics.ts';
import { computeRequestMetrics } from '../../src/metrics/requestMetrics.ts';
import { createFailedRecord, createRecord } from '../support/record.ts';

describe('metrics of several requests', () => {
  const MS = 1e6;
  const laterRecord = createRecord({
    startNs: 200 * MS,
    firstTokenNs: 260 * MS,
    lastTokenNs: 1100 * MS,
    endNs: 1101 * MS,
    counted: { input: 60, output: 15, reasoning: 0 },
    requestedOutput: 15,
  });

  function collectMetrics(goodput?: string): ProfileMetrics {
    const metrics = new ProfileMetrics({
      streaming: true,
      ...(goodput === undefined ? {} : { goodput: parseGoodput(goodput) }),
    });
    for (const record of [createRecord(), laterRecord, createFailedRecord()])
      metrics.add(record, computeRequestMetrics(record));
    return metrics;
  }

  test('counts requests and derives totals and rates', () => {
    const blocks = collectMetrics().toBlocks();
    const getAverage = (tag: string): number | undefined => blocks[tag]?.avg;
    expect(getAverage('request_count')).toBe(2);
    expect(getAverage('error_request_count')).toBe(1);
    expect(getAverage('benchmark_duration')).toBe(1);
    expect(getAverage('request_throughput')).toBe(2);
    expect(getAverage('total_osl')).toBe(20);
    expect(getAverage('output_token_throughput')).toBe(20);
    expect(getAverage('total_isl')).toBe(160);
    expect(getAverage('total_token_throughput')).toBe(180);
    expect(getAverage('total_error_isl')).toBe(100);
    expect(getAverage('osl_mismatch_count')).toBe(1);
    // For each request, the server reported 6 tokens, and the client counted 5.
    expect(getAverage('usage_discrepancy_count')).toBe(2);
    expect(Object.keys(blocks.request_count!)).toEqual(['unit', 'avg']);
    expect(blocks.request_latency).toMatchObject({ count: 2, sum: 990 });
    expect(blocks).not.toHaveProperty('goodput');
  });

  test('a difference in reasoning tokens alone is a discrepancy', () => {
    const metrics = new ProfileMetrics({ streaming: true });
    const counted = { input: 100, output: 4, reasoning: 10 };
    const usage = { promptTokens: 100, completionTokens: 14, totalTokens: 114, reasoningTokens: 12 };
    const record = createRecord({ counted, usage });
    metrics.add(record, computeRequestMetrics(record));
    expect(metrics.toBlocks().usage_discrepancy_count!.avg).toBe(1);
    expect(metrics.toBlocks().usage_reasoning_tokens_diff_pct!.avg).toBeCloseTo(20, 9);
  });

  test.each([
    ['time_to_first_token:50', 1],
    ['time_to_first_token:60 request_latency:900', 2],
    ['output_token_throughput_per_user:90', 1],
    ['reasoning_token_count:5', 0],
  ])('counts the requests that meet %s', (rules, goodRequests) => {
    const blocks = collectMetrics(rules).toBlocks();
    expect(blocks.good_request_count).toEqual({ unit: 'requests', avg: goodRequests });
    expect(blocks.goodput).toEqual({ unit: 'requests/sec', avg: goodRequests });
  });

  test('the share of good requests covers all attempts', () => {
    const metrics = collectMetrics('request_latency:900');
    metrics.add(createRecord({ cancelled: true, failure: createFailure('Interrupted', '', 499) }), {});
    expect(metrics.toBlocks()).toMatchObject({
      request_count: { avg: 2 },
      error_request_count: { avg: 1 },
      cancelled_request_count: { avg: 1 },
      good_request_count: { avg: 2 },
      good_request_fraction: { unit: 'ratio', avg: 0.5 },
    });
  });

  test('a cancelled request is not a failure', () => {
    const metrics = new ProfileMetrics({ streaming: true });
    const record = createRecord({
      cancelled: true,
      failure: createFailure('RequestCancellationError', '', 499),
    });
    metrics.add(createRecord(), computeRequestMetrics(createRecord()));
    metrics.add(record, computeRequestMetrics(record));
    expect([metrics.succeeded, metrics.failed, metrics.cancelled]).toEqual([1, 0, 1]);
    expect(metrics.errors).toEqual([]);
    expect(metrics.toBlocks()).toMatchObject({ request_error_rate: { unit: '%', avg: 0 } });
    expect(metrics.toBlocks()).not.toHaveProperty('error_isl');
  });

  test('omits rates if all requests failed', () => {
    const metrics = new ProfileMetrics({ streaming: true });
    metrics.add(createFailedRecord(), computeRequestMetrics(createFailedRecord()));
    expect(Object.keys(metrics.toBlocks())).toEqual([
      'error_isl',
      'request_count',
      'error_request_count',
      'context_overflow_count',
      'completed_request_count',
      'request_error_rate',
      'total_error_isl',
    ]);
  });

  test('failures add latencies in which they count as infinite', () => {
    const metrics = new ProfileMetrics({ streaming: true });
    metrics.add(createRecord(), computeRequestMetrics(createRecord()));
    expect(Object.keys(metrics.toBlocks()).filter(tag => tag.startsWith('adj_'))).toEqual([]);
    const failed = createFailedRecord("HTTP status 400: This model's maximum context length is 10 tokens");
    for (const record of [failed, createFailedRecord()]) metrics.add(record, computeRequestMetrics(record));
    expect(metrics.toBlocks()).toMatchObject({
      adj_request_latency: { unit: 'ms', count: 3, min: 90, p25: 90 },
      adj_time_to_first_token: { count: 3, min: 50 },
      adj_decode_duration: { count: 3, min: 40 },
      adj_inter_token_latency: { count: 3, min: 10 },
      context_overflow_count: { unit: 'requests', avg: 1 },
      completed_request_count: { unit: 'requests', avg: 3 },
    });
    expect(Object.keys(metrics.toBlocks().adj_request_latency!).sort()).toEqual([
      'count',
      'min',
      'p1',
      'p10',
      'p25',
      'p5',
      'unit',
    ]);
  });

  test('sums what the server reported, and computes shares of the sums', () => {
    const metrics = new ProfileMetrics({ streaming: true });
    const speculation = {
      meanLength: 2.75,
      acceptanceRate: 7 / 12,
      histogram: [1, 0, 2, 1],
      acceptedTokens: 7,
      draftTokens: 12,
      steps: 4,
      maxDraftTokens: 3,
    };
    for (const cachedTokens of [0, 30, 60]) {
      const usage = { promptTokens: 100, cachedTokens, cacheWriteTokens: 1 };
      const record = createRecord({ usage, speculation });
      metrics.add(record, computeRequestMetrics(record));
    }
    expect(metrics.toBlocks()).toMatchObject({
      total_usage_prompt_cache_read_tokens: { unit: 'tokens', avg: 90 },
      total_usage_prompt_cache_write_tokens: { unit: 'tokens', avg: 3 },
      overall_usage_prompt_cache_read_pct: { unit: '%', avg: 30 },
      total_spec_decode_steps: { unit: 'count', avg: 12 },
      total_accepted_draft_tokens: { unit: 'tokens', avg: 21 },
      total_draft_tokens: { unit: 'tokens', avg: 36 },
      spec_decode_token_weighted_acceptance_length: { unit: 'ratio', avg: 2.75 },
      spec_decode_overall_draft_acceptance_rate: { unit: '%', avg: expect.closeTo((100 * 7) / 12, 9) },
    });
  });
});
