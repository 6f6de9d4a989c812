import { formatNumber, formatPercent } from '@org/core';
import { mean } from '../math.ts';
import { readStat } from '../run/series.ts';
import { computeTotal, type ServerInstance } from '../servers/serverInstance.ts';
import { createServerRule, type FindingRule } from './rule.ts';
import { SLOW_REPLICA } from './slowReplica.ts';

/** Rules on the requests of each server, which hold at any load. */
export const REQUEST_RULES: readonly FindingRule[] = [
  SLOW_REPLICA,
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
function computeHitRate(instance: ServerInstance): {
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
