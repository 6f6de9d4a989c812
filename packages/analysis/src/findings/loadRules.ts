import { formatPercent, formatValue } from '@org/core';
import { mean } from '../math.ts';
import { readStat } from '../run/series.ts';
import { type FindingRule, serverRule } from './rule.ts';
import { computeLevel, computeTotal } from './subject.ts';

const plain = (value: number): string => formatValue(value, null);

/** What the server's own metrics say of its load: seed 002, "What to Watch" and "Troubleshooting". */
export const LOAD_RULES: readonly FindingRule[] = [
  serverRule(
    {
      id: 'queue-growing',
      weight: 'problem',
      title: 'the queue grows',
      advice:
        'More arrives than the server can do: reduce concurrency or request rate, or increase server capacity.',
      thresholds: {
        slices: { value: 4, meaning: 'least complete timeslices to judge by' },
        factor: { value: 1.5, meaning: 'last third of the run against the first' },
        requests: { value: 2, meaning: 'least growth in waiting requests' },
      },
    },
    (subject, at) => {
      const { slices } = computeLevel(subject, 'waiting') ?? { slices: [] };
      if (slices.length < at.slices) return undefined;
      const third = Math.max(1, Math.floor(slices.length / 3));
      const first = mean(slices.slice(0, third));
      const middle = mean(slices.slice(third, -third));
      const last = mean(slices.slice(-third));
      const grows = last - first >= at.requests && last >= at.factor * first;
      // A spike that is over is no growth, and neither is one that has just begun.
      if (!grows || !(middle >= first && last >= middle)) return undefined;
      return {
        text: `${plain(first)} waiting in the first third, ${plain(last)} in the last`,
        numbers: { first, last },
        size: last - first,
      };
    },
  ),
  serverRule(
    {
      id: 'queue-deep',
      weight: 'warning',
      title: 'the server is the bottleneck',
      advice:
        'High waiting means that the server is at its limit: reduce concurrency or increase server capacity.',
      thresholds: {
        waiting: { value: 1, meaning: 'mean waiting requests' },
        share: { value: 0.25, meaning: 'waiting against running requests' },
      },
    },
    (subject, at) => {
      const waiting = computeLevel(subject, 'waiting');
      if (!waiting || waiting.avg < at.waiting) return undefined;
      const running = computeLevel(subject, 'running');
      if (running && waiting.avg < at.share * running.avg) return undefined;
      const beside = running ? ` beside ${plain(running.avg)} running` : '';
      return {
        text: `${plain(waiting.avg)} waiting on average${beside}`,
        numbers: { waiting: waiting.avg, waiting_max: waiting.max, ...(running && { running: running.avg }) },
        size: waiting.avg,
      };
    },
  ),
  serverRule(
    {
      id: 'tail-latency',
      weight: 'warning',
      title: 'high p99, good p50',
      advice: 'Queue buildup: reduce concurrency or increase server capacity.',
      thresholds: {
        factor: { value: 4, meaning: 'p99 against p50 of the time to first token' },
        spike: { value: 3, meaning: 'highest queue against its mean' },
        waiting: { value: 5, meaning: 'highest queue' },
      },
    },
    (subject, at) => {
      const waiting = computeLevel(subject, 'waiting');
      if (!waiting || waiting.max < at.waiting || waiting.max < at.spike * waiting.avg) return undefined;
      const [tail] = subject
        .series('timeToFirstToken')
        .map(one => ({
          p50: readStat(one, 'p50_estimate') ?? Number.NaN,
          p99: readStat(one, 'p99_estimate') ?? Number.NaN,
          unit: one.unit,
        }))
        .filter(({ p50, p99 }) => p50 > 0 && p99 >= at.factor * p50)
        .sort((a, b) => b.p99 - a.p99);
      if (!tail) return undefined;
      const { p50, p99, unit } = tail;
      return {
        text: `first token p50 ${formatValue(p50, unit)}, p99 ${formatValue(p99, unit)}; at most ${plain(waiting.max)} waiting`,
        numbers: { p50, p99, waiting_max: waiting.max, waiting: waiting.avg },
        size: p99 / p50,
      };
    },
  ),
  serverRule(
    {
      id: 'kv-cache-full',
      weight: 'problem',
      title: 'KV cache at its limit',
      advice: 'Give the server more memory for its KV cache, or send it fewer or shorter requests.',
      adviceFor: { vLLM: 'Reduce max_model_len or increase gpu_memory_utilization.' },
      thresholds: { usage: { value: 0.9, meaning: 'highest share in use' } },
    },
    (subject, at) => {
      const usage = computeLevel(subject, 'kvCacheUsage');
      if (!usage || usage.max <= at.usage) return undefined;
      return {
        text: `${formatPercent(usage.max)} at most, ${formatPercent(usage.avg)} on average`,
        numbers: { max: usage.max, avg: usage.avg },
        size: usage.max,
      };
    },
  ),
  serverRule(
    {
      id: 'preemptions',
      weight: 'problem',
      title: 'preemptions: short of memory',
      advice:
        'Preempted requests are computed again. Increase gpu_memory_utilization, or reduce concurrency.',
      thresholds: { total: { value: 0, meaning: 'more than this in the run' } },
    },
    (subject, at) => {
      const total = computeTotal(subject, 'preemptions');
      if (total === undefined || total <= at.total) return undefined;
      return { text: `${plain(total)} in the run`, numbers: { total }, size: total };
    },
  ),
  serverRule(
    {
      id: 'client-bottleneck',
      weight: 'warning',
      title: 'the client is the bottleneck',
      advice:
        'Low running and low waiting means that the server could do more: raise concurrency or request rate.',
      thresholds: {
        running: { value: 4, meaning: 'mean running requests' },
        waiting: { value: 0.5, meaning: 'mean waiting requests' },
      },
    },
    (subject, at) => {
      const running = computeLevel(subject, 'running');
      const waiting = computeLevel(subject, 'waiting');
      if (!running || !waiting || running.avg <= 0) return undefined;
      if (running.avg >= at.running || waiting.avg >= at.waiting) return undefined;
      return {
        text: `${plain(running.avg)} running and ${plain(waiting.avg)} waiting on average`,
        numbers: { running: running.avg, waiting: waiting.avg },
        size: -running.avg,
      };
    },
  ),
  serverRule(
    {
      id: 'idle',
      weight: 'warning',
      title: 'the server did nothing in the run',
      advice:
        'Did the load reach this endpoint, and in the profiling period? A load balancer may have sent it elsewhere.',
      thresholds: {},
    },
    subject => {
      const running = computeLevel(subject, 'running');
      const tokens = computeTotal(subject, 'outputTokens');
      if ((running?.max ?? 0) > 0 || tokens !== 0) return undefined;
      return { text: 'no output, nothing running', numbers: { output: 0 }, size: 0 };
    },
  ),
  serverRule(
    {
      id: 'failed-requests',
      weight: 'problem',
      title: 'requests failed at the server',
      advice:
        'Figures of speed speak of the requests that did not fail: see the server log for why they did.',
      thresholds: { total: { value: 0, meaning: 'more than this in the run' } },
    },
    (subject, at) => {
      const failed = computeTotal(subject, 'failedRequests');
      if (failed === undefined || failed <= at.total) return undefined;
      const completed = computeTotal(subject, 'completedRequests');
      const beside = completed === undefined ? '' : `, beside ${plain(completed)} completed`;
      return { text: `${plain(failed)} failed${beside}`, numbers: { failed }, size: failed };
    },
  ),
  serverRule(
    {
      id: 'prefix-cache',
      weight: 'note',
      title: 'prefix-cache hit rate',
      advice:
        'Cached prompts are not computed: compare runs only at the same hit rate, and vary prompts to measure prefill.',
      adviceFor: { Triton: 'Cached responses are not computed: compare runs only at the same hit rate.' },
      thresholds: { rate: { value: 0, meaning: 'said when it is more than this' } },
    },
    (subject, at) => {
      const { rate, hits, queries } = hitRate(subject);
      if (rate === undefined || rate <= at.rate) return undefined;
      const of = queries === undefined ? '' : `: ${plain(hits!)} of ${plain(queries)}`;
      return {
        text: `${formatPercent(rate)}${of}`,
        numbers: { rate, ...(queries !== undefined && { hits: hits!, queries }) },
        size: rate,
      };
    },
  ),
];

/** hit rate = hits / queries; SGLang and TensorRT-LLM say the rate themselves. */
function hitRate(subject: Parameters<typeof computeTotal>[0]): {
  rate?: number;
  hits?: number;
  queries?: number;
} {
  const hits = computeTotal(subject, 'cacheHits');
  const misses = computeTotal(subject, 'cacheMisses');
  const queries =
    computeTotal(subject, 'cacheQueries') ?? (misses === undefined ? undefined : misses + (hits ?? 0));
  if (hits !== undefined && queries) return { rate: hits / queries, hits, queries };
  const said = subject.series('cacheHitRate').flatMap(one => readStat(one, 'avg') ?? []);
  if (said.length === 0) return {};
  const rate = mean(said);
  return { rate: rate > 1.5 ? rate / 100 : rate };
}
