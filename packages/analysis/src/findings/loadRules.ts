import { formatPercent, formatValue } from '@org/core';
import { mean } from '../math.ts';
import { readStat } from '../run/series.ts';
import { createServerRule, type FindingRule } from './rule.ts';
import { computeLevel, computeTotal } from './serverInstance.ts';

const formatNumber = (value: number): string => formatValue(value, null);

/** Rules on the load of a server, based on its metrics. */
export const LOAD_RULES: readonly FindingRule[] = [
  createServerRule(
    {
      id: 'growing-queue',
      isLoadAdvice: true,
      severity: 'problem',
      title: 'the queue is growing',
      advice:
        'Requests arrive faster than the server completes them: reduce concurrency or request rate, or increase server capacity.',
      thresholds: {
        slices: { value: 4, meaning: 'minimum number of complete timeslices' },
        factor: { value: 1.5, meaning: 'minimum ratio of the last third of the run to the first' },
        requests: { value: 2, meaning: 'minimum growth in waiting requests' },
      },
    },
    (instance, limits) => {
      const { slices } = computeLevel(instance, 'waiting') ?? { slices: [] };
      if (slices.length < limits.slices) return undefined;
      const third = Math.max(1, Math.floor(slices.length / 3));
      const first = mean(slices.slice(0, third));
      const middle = mean(slices.slice(third, -third));
      const last = mean(slices.slice(-third));
      const grows = last - first >= limits.requests && last >= limits.factor * first;
      // A spike that has ended, or has just begun, is not growth.
      if (!grows || !(middle >= first && last >= middle)) return undefined;
      return {
        text: `${formatNumber(first)} waiting in the first third of the run, ${formatNumber(last)} in the last`,
        numbers: { first, last },
        magnitude: last - first,
      };
    },
  ),
  createServerRule(
    {
      id: 'server-bottleneck',
      isLoadAdvice: true,
      severity: 'warning',
      title: 'the server is the bottleneck',
      advice:
        'Requests wait because the server is at its limit: reduce concurrency or increase server capacity.',
      thresholds: {
        waiting: { value: 1, meaning: 'minimum mean number of waiting requests' },
        share: { value: 0.25, meaning: 'minimum ratio of waiting to running requests' },
      },
    },
    (instance, limits) => {
      const waiting = computeLevel(instance, 'waiting');
      if (!waiting || waiting.avg < limits.waiting) return undefined;
      const running = computeLevel(instance, 'running');
      if (running && waiting.avg < limits.share * running.avg) return undefined;
      const runningText = running ? `, ${formatNumber(running.avg)} running` : '';
      return {
        text: `${formatNumber(waiting.avg)} waiting on average${runningText}`,
        numbers: { waiting: waiting.avg, waiting_max: waiting.max, ...(running && { running: running.avg }) },
        magnitude: waiting.avg,
      };
    },
  ),
  createServerRule(
    {
      id: 'tail-latency',
      isLoadAdvice: true,
      severity: 'warning',
      title: 'p99 latency is much higher than p50',
      advice: 'Requests queue temporarily: reduce concurrency or increase server capacity.',
      thresholds: {
        factor: { value: 4, meaning: 'minimum ratio of p99 to p50 of the time to first token' },
        spike: { value: 3, meaning: 'minimum ratio of the maximum to the mean queue length' },
        waiting: { value: 5, meaning: 'minimum length of the longest queue' },
      },
    },
    (instance, limits) => {
      const waiting = computeLevel(instance, 'waiting');
      if (!waiting || waiting.max < limits.waiting || waiting.max < limits.spike * waiting.avg)
        return undefined;
      const [tail] = instance
        .series('timeToFirstToken')
        .map(series => ({
          p50: readStat(series, 'p50_estimate') ?? Number.NaN,
          p99: readStat(series, 'p99_estimate') ?? Number.NaN,
          unit: series.unit,
        }))
        .filter(({ p50, p99 }) => p50 > 0 && p99 >= limits.factor * p50)
        .sort((a, b) => b.p99 - a.p99);
      if (!tail) return undefined;
      const { p50, p99, unit } = tail;
      return {
        text: `time to first token p50 ${formatValue(p50, unit)}, p99 ${formatValue(p99, unit)}; up to ${formatNumber(waiting.max)} waiting`,
        numbers: { p50, p99, waiting_max: waiting.max, waiting: waiting.avg },
        magnitude: p99 / p50,
      };
    },
  ),
  createServerRule(
    {
      id: 'full-kv-cache',
      severity: 'problem',
      title: 'KV cache nearly full',
      advice: 'Increase the memory for the KV cache, or send fewer or shorter requests.',
      adviceFor: { vLLM: 'Reduce max_model_len or increase gpu_memory_utilization.' },
      thresholds: { usage: { value: 0.9, meaning: 'maximum usage, as a fraction' } },
    },
    (instance, limits) => {
      const usage = computeLevel(instance, 'kvCacheUsage');
      if (!usage || usage.max <= limits.usage) return undefined;
      return {
        text: `up to ${formatPercent(usage.max)}, ${formatPercent(usage.avg)} on average`,
        numbers: { max: usage.max, avg: usage.avg },
        magnitude: usage.max,
      };
    },
  ),
  createServerRule(
    {
      id: 'preemptions',
      severity: 'problem',
      title: 'requests were preempted',
      advice:
        'The KV cache is too small, and preempted requests are recomputed: increase the memory for the KV cache, or reduce concurrency.',
      thresholds: { total: { value: 0, meaning: 'maximum in the run' } },
    },
    (instance, limits) => {
      const total = computeTotal(instance, 'preemptions');
      if (total === undefined || total <= limits.total) return undefined;
      return { text: `${formatNumber(total)} preemptions`, numbers: { total }, magnitude: total };
    },
  ),
  createServerRule(
    {
      id: 'client-bottleneck',
      isLoadAdvice: true,
      severity: 'warning',
      title: 'the client is the bottleneck',
      advice: 'The server has spare capacity: increase concurrency or request rate.',
      thresholds: {
        running: { value: 4, meaning: 'maximum mean number of running requests' },
        waiting: { value: 0.5, meaning: 'maximum mean number of waiting requests' },
      },
    },
    (instance, limits) => {
      const running = computeLevel(instance, 'running');
      const waiting = computeLevel(instance, 'waiting');
      if (!running || !waiting || running.avg <= 0) return undefined;
      if (running.avg >= limits.running || waiting.avg >= limits.waiting) return undefined;
      return {
        text: `${formatNumber(running.avg)} running and ${formatNumber(waiting.avg)} waiting on average`,
        numbers: { running: running.avg, waiting: waiting.avg },
        magnitude: -running.avg,
      };
    },
  ),
  createServerRule(
    {
      id: 'idle-server',
      isLoadAdvice: true,
      severity: 'warning',
      title: 'the server was idle',
      advice:
        'Check that the load reached this endpoint during the profiling phase. A load balancer may have sent it elsewhere.',
      thresholds: {},
    },
    instance => {
      const running = computeLevel(instance, 'running');
      const tokens = computeTotal(instance, 'outputTokens');
      if ((running?.max ?? 0) > 0 || tokens !== 0) return undefined;
      return { text: 'no output and no running requests', numbers: { output: 0 }, magnitude: 0 };
    },
  ),
  createServerRule(
    {
      id: 'failed-requests',
      severity: 'problem',
      title: 'requests failed on the server',
      advice: 'Latencies and throughput cover successful requests only. See the server log for the cause.',
      thresholds: { total: { value: 0, meaning: 'maximum in the run' } },
    },
    (instance, limits) => {
      const failed = computeTotal(instance, 'failedRequests');
      if (failed === undefined || failed <= limits.total) return undefined;
      const completed = computeTotal(instance, 'completedRequests');
      const completedText = completed === undefined ? '' : `, ${formatNumber(completed)} completed`;
      return {
        text: `${formatNumber(failed)} failed${completedText}`,
        numbers: { failed },
        magnitude: failed,
      };
    },
  ),
  createServerRule(
    {
      id: 'prefix-cache-hits',
      severity: 'note',
      title: 'prefix-cache hit rate',
      advice:
        'Cached prompts are not recomputed: compare runs only at equal hit rates, and vary prompts to measure prefill.',
      adviceFor: { Triton: 'Cached responses are not recomputed: compare runs only at equal hit rates.' },
      thresholds: { rate: { value: 0, meaning: 'minimum hit rate to report, as a fraction' } },
    },
    (instance, limits) => {
      const { rate, hits, queries } = computeHitRate(instance);
      if (rate === undefined || rate <= limits.rate) return undefined;
      const countsText = queries === undefined ? '' : `: ${formatNumber(hits!)} of ${formatNumber(queries)}`;
      return {
        text: `${formatPercent(rate)}${countsText}`,
        numbers: { rate, ...(queries !== undefined && { hits: hits!, queries }) },
        magnitude: rate,
      };
    },
  ),
];

/** Computes the cache hit rate as a fraction, or reads it if the server reports a rate (SGLang, TensorRT-LLM). */
function computeHitRate(instance: Parameters<typeof computeTotal>[0]): {
  rate?: number;
  hits?: number;
  queries?: number;
} {
  const hits = computeTotal(instance, 'cacheHits');
  const misses = computeTotal(instance, 'cacheMisses');
  const queries =
    computeTotal(instance, 'cacheQueries') ?? (misses === undefined ? undefined : misses + (hits ?? 0));
  if (hits !== undefined && queries) return { rate: hits / queries, hits, queries };
  const reported = instance.series('cacheHitRate').flatMap(series => readStat(series, 'avg') ?? []);
  if (reported.length === 0) return {};
  const rate = mean(reported);
  // Servers report a fraction or a percentage.
  return { rate: rate > 1.5 ? rate / 100 : rate };
}
