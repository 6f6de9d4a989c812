import { findParetoPoints } from '@org/core';
import type { BestConfiguration, ProfileSweep, SweepVariation } from '@org/formats';

/** The objectives: maximum throughput, and minimum latency by the first listed metric that any variation has. */
const THROUGHPUT = 'request_throughput_avg';
const LATENCIES = ['time_to_first_token_p99', 'request_latency_p99'] as const;

/** The best and the Pareto-optimal variations of a sweep. */
export type BestVariations = Required<Pick<ProfileSweep, 'best_configurations' | 'pareto_optimal'>>;

/**
 * Finds the best and the Pareto-optimal variations. Metrics are named `<tag>_<statistic>`. Ignores variations without
 * both objectives.
 */
export function findBestVariations(
  variations: readonly Pick<SweepVariation, 'parameters' | 'metrics'>[],
): BestVariations {
  const latency = LATENCIES.find(name => variations.some(({ metrics }) => metrics[name]));
  if (latency === undefined) return { best_configurations: {}, pareto_optimal: [] };
  const candidates = variations.filter(({ metrics }) => metrics[THROUGHPUT] && metrics[latency]);
  if (candidates.length === 0) return { best_configurations: {}, pareto_optimal: [] };
  const points = candidates.map(({ metrics }) => ({
    maximized: metrics[THROUGHPUT]!.mean,
    minimized: metrics[latency]!.mean,
  }));
  const findBestBy = (name: string, sign: number): BestConfiguration => {
    const [first] = [...candidates].sort((a, b) => sign * (a.metrics[name]!.mean - b.metrics[name]!.mean));
    const { mean, unit } = first!.metrics[name]!;
    return { parameters: first!.parameters, metric: mean, unit, metric_name: name };
  };
  return {
    best_configurations: {
      best_throughput: findBestBy(THROUGHPUT, -1),
      best_latency_p99: findBestBy(latency, 1),
    },
    pareto_optimal: findParetoPoints(points).map(at => candidates[at]!.parameters),
  };
}
