import type { SeriesHistory } from '../period/seriesHistory.ts';
import type { SummarySamples } from '../store/samples.ts';
import { type HistogramIncrease, type HistogramStatistics, summarizeHistogram } from './histogram.ts';

/**
 * Statistics of a summary in a period: the fields of a histogram without buckets. Only the legacy layout
 * exports summaries.
 */
export type SummaryStatistics = Pick<
  HistogramStatistics,
  'count' | 'sum' | 'avg' | 'count_rate' | 'sum_rate' | 'resets' | 'created_in_run'
> & { readonly increase?: Omit<HistogramIncrease, 'buckets'> };

/**
 * Quantile values of the last sample, in ascending order, with each quantile as written by the server. Values
 * that are not finite are omitted.
 */
export type QuantileValues = readonly (readonly [quantile: string, value: number])[];

/** Computes the statistics of a summary. Row 0 of the samples is the reference sample. */
export function computeSummaryStatistics(
  { timesNs, sums, counts }: SummarySamples,
  history: SeriesHistory = {},
): SummaryStatistics {
  const window = { timesNs, sums, counts, bounds: [], cumulative: [] };
  const { stats } = summarizeHistogram(window, () => null, history);
  if (stats.increase === undefined) return stats as SummaryStatistics;
  const { buckets: _none, ...increase } = stats.increase;
  return { ...stats, increase };
}

/** Returns the quantile values of the last sample. They cover the sliding window of the server, not the period. */
export function readLastQuantiles({ quantiles, values }: SummarySamples): QuantileValues {
  return quantiles
    .map(({ text }, at) => [text, values[at]!.at(-1)!] as const)
    .filter(([, value]) => Number.isFinite(value));
}
