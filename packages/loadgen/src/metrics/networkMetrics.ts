import { Distribution, type DistributionStats } from './distribution.ts';
import type { MetricBlock, ProfileMetrics } from './profileMetrics.ts';

/** The latencies that contain a round trip: those that begin when a request is sent. */
const TAGS = ['request_latency', 'time_to_first_token', 'time_to_first_output_token'] as const;

/**
 * Returns the round trip to the servers, and latencies without it. A latency that is shorter than the round trip counts
 * as 0. Returns no metrics if the round trip is 0.
 */
export function subtractRoundTrip(
  metrics: Pick<ProfileMetrics, 'getDistribution'>,
  roundTripMs: number,
): Record<string, MetricBlock> {
  if (!(roundTripMs > 0)) return {};
  const adjusted = TAGS.flatMap(tag => {
    const stats = adjust(metrics.getDistribution(tag), roundTripMs);
    return stats ? [[`network_adjusted_${tag}`, { unit: 'ms', ...stats }] as const] : [];
  });
  return { ...Object.fromEntries(adjusted), network_rtt: { unit: 'ms', avg: roundTripMs } };
}

function adjust(latencies: Distribution | undefined, roundTripMs: number): DistributionStats | undefined {
  const values = latencies?.values;
  if (values === undefined) return shift(latencies?.computeStats(), roundTripMs);
  const adjusted = new Distribution(values.length);
  for (const value of values) adjusted.add(Math.max(0, value - roundTripMs));
  return adjusted.computeStats();
}

/** Subtracts the round trip from statistics whose values are not stored. */
function shift(stats: DistributionStats | undefined, roundTripMs: number): DistributionStats | undefined {
  if (stats === undefined) return undefined;
  const { count, sum } = stats;
  const times = Object.entries(stats)
    .filter(([name]) => /^(?:avg|min|max|p\d+)$/.test(name))
    .map(([name, value]) => [name, Math.max(0, Number(value) - roundTripMs)]);
  return { ...stats, ...Object.fromEntries(times), sum: Math.max(0, sum - count * roundTripMs) };
}
