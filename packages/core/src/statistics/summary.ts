import type { SummarySamples } from '../store/samples.ts';
import { type HistogramStatistics, histogramSummary } from './histogram.ts';

/**
 * What a summary counted in a period; sum and count mean what a histogram's do. Only the legacy layout exports
 * summaries (seed 003, "Summary Metrics"; DESIGN decision 11).
 */
export type SummaryStatistics = Pick<
  HistogramStatistics,
  'count' | 'sum' | 'avg' | 'count_rate' | 'sum_rate' | 'resets'
> & { readonly increase?: { readonly count: number; readonly sum: number; readonly avg?: number } };

/** The server's own quantiles as its last sample says them, by the quantile as printed, ascending; finite ones only. */
export type QuantileValues = readonly (readonly [quantile: string, value: number])[];

/** The statistics of a summary; row 0 of the samples is the reference. */
export function summaryStatistics({ timesNs, sums, counts }: SummarySamples): SummaryStatistics {
  const { stats } = histogramSummary({ timesNs, sums, counts, bounds: [], cumulative: [] }, () => null);
  if (stats.increase === undefined) return stats as SummaryStatistics;
  const { buckets: _none, ...increase } = stats.increase;
  return { ...stats, increase };
}

/** The quantiles of the last sample. They speak of the server's own window of time, not of the period. */
export function lastQuantiles({ quantiles, values }: SummarySamples): QuantileValues {
  return quantiles
    .map(({ text }, at) => [text, values[at]!.at(-1)!] as const)
    .filter(([, value]) => Number.isFinite(value));
}
