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
      'request_error_rate',
      'total_error_isl',
    ]);
  });
});
