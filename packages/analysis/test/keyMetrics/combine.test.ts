import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { combineSeries } from '../../src/keyMetrics/combine.ts';
import { findKeyMetrics, type KeyMetric } from '../../src/keyMetrics/keyMetrics.ts';
import { createRunFromView } from '../../src/run/run.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createHistogram,
  createMetric,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
  URL_B,
} from '../documents.ts';

const URL_C = 'http://third:1/metrics';
const URL_D = 'http://fourth:1/metrics';

/** Combines the series of one key metric of a run that ends with the last slice. */
function combine(name: string, type: string, series: readonly object[], unit?: string): KeyMetric {
  const metrics = { [name]: createMetric(type, series, unit) };
  const view = createDocument(metrics, undefined, { profiling_end_ns: START_NS });
  return combineSeries(findKeyMetrics(createRunFromView(view))[0]!.metrics);
}

const createRankLabel = (i: number): { labels: Record<string, string> } => ({ labels: { rank: String(i) } });

test('adds up request counts slice by slice, with the sum of the maxima as an upper bound', () => {
  const { stats, trend, labels, endpoint } = combine('vllm:num_requests_running', 'gauge', [
    createGauge(1, { ...createRankLabel(0), max: 5, slices: [1, 2] }),
    createGauge(3, { ...createRankLabel(1), max: 4, slices: [10] }),
  ]);
  expect(stats).toMatchObject({ avg: 4, max: 9 });
  expect(stats).not.toHaveProperty('p99');
  expect(trend).toEqual([11, 2]);
  expect([labels, endpoint]).toEqual([{}, '']);
});

test('adds the requests and rates of endpoints for the time in which they were available', () => {
  const at = (seconds: number): bigint => START_NS + BigInt(seconds) * SECOND_NS;
  const outages = [{ start_ns: at(6), scrapes: 40, reason: 'refused', message: 'refused the connection' }];
  const died = { ...healthyInfo, last_fetch_ns: at(5), last_failure_ns: at(20), outages };
  const resets = [{ previous_ns: at(4), at_ns: at(8), counters: 30, process_restarted: true }];
  const restarted = { ...healthyInfo, resets };
  const infos = {
    [URL_A]: { ...healthyInfo, first_fetch_ns: at(10) },
    [URL_B]: died,
    [URL_C]: healthyInfo,
    [URL_D]: restarted,
  };
  const urls = Object.keys(infos).map(url => ({ url }));
  const view = createDocument(
    {
      'vllm:num_requests_running': createMetric(
        'gauge',
        urls.map(url => createGauge(4, url)),
      ),
      'vllm:num_preemptions': createMetric(
        'counter',
        urls.map(url => createCounter(20, url)),
      ),
    },
    infos,
  );
  const [running, preemptions] = ['vllm:num_requests_running', 'vllm:num_preemptions'].map(name => {
    const { metrics } = findKeyMetrics(createRunFromView(view))[0]!;
    return combineSeries(metrics.filter(({ metric }) => metric.name === name)).stats;
  });
  // 4 requests in 10 s, 5 s, 20 s and 16 s of 20 s, and a rate of 1/s; the rate after a restart covers the whole time.
  expect(running!.avg).toBeCloseTo(2 + 1 + 4 + 3.2, 9);
  expect(preemptions!.rate).toBe(0.5 + 0.25 + 1 + 1);
});

test.each([
  ['the usage of a cache', 'vllm:kv_cache_usage_perc', undefined],
  ['ratios', 'sglang:cache_hit_rate', 'ratio'],
  ['hit rates without a unit', 'sglang:cache_hit_rate', undefined],
])('averages %s', (_, name, unit) => {
  const series = [
    createGauge(0.25, { ...createRankLabel(0), slices: [0.5] }),
    createGauge(0.75, { ...createRankLabel(1), slices: [1] }),
  ];
  const { stats, trend } = combine(name, 'gauge', series, unit);
  expect([stats.avg, trend]).toEqual([0.5, [0.75]]);
});

test('adds totals and rates of counters', () => {
  const counters = [
    createCounter(20, { ...createRankLabel(0), slices: [1] }),
    createCounter(40, { ...createRankLabel(1), slices: [2] }),
  ];
  const { stats, trend } = combine('vllm:generation_tokens', 'counter', counters);
  expect([stats, trend]).toEqual([{ total: 60, rate: 3 }, [3]]);
});

test('weights the means of histograms by their observations', () => {
  const { stats, trend } = combine('vllm:time_to_first_token_seconds', 'histogram', [
    createHistogram(100, 1, { ...createRankLabel(0), slices: [1] }),
    createHistogram(300, 2, { ...createRankLabel(1), slices: [2] }),
    createHistogram(0, 1, createRankLabel(2)),
  ]);
  expect(stats).toEqual({ avg: 1.75, p99_estimate: 7.8, count: 400 });
  expect(trend).toEqual([1.5]);
});

test('returns a single series unchanged', () => {
  const { labels, stats } = combine('vllm:num_requests_running', 'gauge', [
    createGauge(1, createRankLabel(0)),
  ]);
  expect([labels, stats.p50]).toEqual([{ rank: '0' }, 1]);
});

test('an aggregated average never exceeds its maximum', () => {
  const level = fc.double({ min: 0, max: 1000, noNaN: true });
  const gauges = fc.array(fc.tuple(level, level), { minLength: 1, maxLength: 5 });
  const names = fc.constantFrom('vllm:num_requests_running', 'vllm:kv_cache_usage_perc');
  fc.assert(
    fc.property(names, gauges, (name, values) => {
      const series = values.map(([a, b], i) =>
        createGauge(Math.min(a, b), { ...createRankLabel(i), max: Math.max(a, b) }),
      );
      const { avg, max } = combine(name, 'gauge', series).stats;
      // The tolerance covers rounding of sums.
      expect(avg! - max!).toBeLessThanOrEqual(1e-9);
    }),
    { numRuns: 100 },
  );
});

test('counts the requests of SGLang once that it also reports by priority', () => {
  const running = ['', '1', '2'].map(priority =>
    createGauge(priority === '' ? 10 : 5, { labels: { priority } }),
  );
  const view = createDocument({ 'sglang:num_running_reqs': createMetric('gauge', running) });
  expect(combineSeries(findKeyMetrics(createRunFromView(view))[0]!.metrics).stats.avg).toBe(10);
});
