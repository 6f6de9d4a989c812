import { compareNumbers, type ServerLimit } from '@org/analysis';
import { isResponding } from '@org/record/roles';
import type { SampledEndpoint } from '../profile/profileResult.ts';

/** A limit of a gauge of the servers, and the rule that contains it. */
export interface GaugeLimit {
  readonly limit: ServerLimit;
  readonly rule: string;
}

/**
 * Finds a gauge that exceeds its limit, and returns why the run ends early: the maximum of the run is at least this value.
 * Values from before `startNs` are ignored, because the statistics of the run do not cover them.
 */
export function describeExceededGauge(
  limits: readonly GaugeLimit[],
  endpoints: readonly SampledEndpoint[],
  startNs: bigint,
): string | undefined {
  for (const endpoint of endpoints) {
    const { lastSuccessNs } = endpoint.health;
    if (lastSuccessNs === undefined || lastSuccessNs < startNs || !isResponding(endpoint)) continue;
    for (const { limit, rule } of limits) {
      const value = readMaximum(endpoint, limit.metric);
      if (value !== undefined && !compareNumbers(value, limit.operator, limit.max))
        return `ended early: ${limit.metric} of ${endpoint.url} was ${value}, so ${rule} has failed whatever the further values are`;
    }
  }
  return undefined;
}

/** Reads the largest value of a gauge in the last scrape of an endpoint; undefined if it has no such gauge. */
function readMaximum({ layout, latest }: SampledEndpoint, metric: string): number | undefined {
  const values = layout.series.flatMap(series =>
    series.kind === 'scalar' && series.family.type === 'gauge' && series.family.name === metric
      ? [latest?.[series.value]]
      : [],
  );
  const known = values.filter(value => value !== undefined && Number.isFinite(value)) as number[];
  return known.length === 0 ? undefined : Math.max(...known);
}
