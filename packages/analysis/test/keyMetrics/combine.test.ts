import { expect, test } from 'vitest';
import { combineSeries } from '../../src/keyMetrics/combine.ts';
import { findKeyMetrics, type KeyMetric } from '../../src/keyMetrics/keyMetrics.ts';
import { createRunFromView } from '../../src/run/run.ts';
import { counter, document, gauge, histogram, metric } from '../documents.ts';

/** Combines the series of one key metric. */
function combine(name: string, type: string, series: readonly object[], unit?: string): KeyMetric {
  return combineSeries(
    findKeyMetrics(createRunFromView(document({ [name]: metric(type, series, unit) })))[0]!.metrics,
  );
}

const rank = (i: number): { labels: Record<string, string> } => ({ labels: { rank: String(i) } });

test('adds numbers of requests, slice by slice, and keeps the highest maximum', () => {
  const { stats, trend, labels, endpoint } = combine('vllm:num_requests_running', 'gauge', [
    gauge(1, { ...rank(0), max: 5, slices: [1, 2] }),
    gauge(3, { ...rank(1), max: 4, slices: [10] }),
  ]);
  expect(stats).toMatchObject({ avg: 4, max: 5 });
  expect(trend).toEqual([11, 2]);
  expect([labels, endpoint]).toEqual([{}, '']);
});

test.each([
  ['the usage of a cache', 'vllm:kv_cache_usage_perc', undefined],
  ['ratios', 'sglang:cache_hit_rate', 'ratio'],
])('averages %s', (_, name, unit) => {
  const series = [gauge(0.25, { ...rank(0), slices: [0.5] }), gauge(0.75, { ...rank(1), slices: [1] })];
  const { stats, trend } = combine(name, 'gauge', series, unit);
  expect([stats.avg, trend]).toEqual([0.5, [0.75]]);
});

test('adds totals and rates of counters', () => {
  const counters = [counter(20, { ...rank(0), slices: [1] }), counter(40, { ...rank(1), slices: [2] })];
  const { stats, trend } = combine('vllm:generation_tokens', 'counter', counters);
  expect([stats, trend]).toEqual([{ total: 60, rate: 3 }, [3]]);
});

test('weights the means of histograms by their observations', () => {
  const { stats, trend } = combine('vllm:time_to_first_token_seconds', 'histogram', [
    histogram(100, 1, { ...rank(0), slices: [1] }),
    histogram(300, 2, { ...rank(1), slices: [2] }),
    histogram(0, 1, rank(2)),
  ]);
  expect(stats).toEqual({ avg: 1.75, p99_estimate: 7.8, count: 400 });
  expect(trend).toEqual([1.5]);
});

test('returns a single series as it is', () => {
  const { labels, stats } = combine('vllm:num_requests_running', 'gauge', [gauge(1, rank(0))]);
  expect([labels, stats.p50]).toEqual([{ rank: '0' }, 1]);
});
