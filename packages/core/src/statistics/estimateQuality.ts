import { hasNegativeObservations } from '../percentile/bucketEdges.ts';
import {
  computePercentileBounds,
  findEstimateWarning,
  type PercentileBounds,
} from '../percentile/percentileBounds.ts';
import type { HistogramSamples } from '../store/samples.ts';
import type { HistogramStatistics } from './histogram.ts';
import type { HistogramResult, PercentileWarnings } from './seriesResult.ts';

/** Computes guaranteed bounds of the percentiles, and warnings about unreliable estimates; empty without estimates. */
export function assessEstimates(
  samples: HistogramSamples,
  stats: HistogramStatistics,
): Pick<HistogramResult, 'percentileBounds' | 'percentileWarnings'> {
  const estimates = stats.increase ?? stats;
  if (estimates.p50_estimate === undefined || hasNegativeObservations(samples)) return {};
  const percentileBounds = computePercentileBounds(samples);
  if (percentileBounds === null) return {};
  const warnings = Object.entries(percentileBounds).flatMap(([percentile, interval]) => {
    const estimate = estimates[`${percentile as keyof PercentileBounds}_estimate`];
    const warning = estimate === undefined ? null : findEstimateWarning(estimate, interval, samples);
    return warning === null ? [] : [[percentile, warning] as const];
  });
  return warnings.length === 0
    ? { percentileBounds }
    : { percentileBounds, percentileWarnings: Object.fromEntries(warnings) as PercentileWarnings };
}
