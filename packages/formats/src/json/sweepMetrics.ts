import type { SweepMetric } from '../generated/profileSweep.ts';

type SweepMetrics = Readonly<Record<string, SweepMetric>>;

const PERCENTILES = ['p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99'] as const;

/**
 * Returns the metrics of a variation by `<tag>_<statistic>`, as in sweeps with repeated runs. A block with all statistics
 * of one run becomes an entry without an interval for each of its statistics.
 */
export function flattenSweepMetrics(metrics: SweepMetrics): Record<string, SweepMetric> {
  const entries = Object.entries(metrics).flatMap(([name, block]) =>
    block.avg === undefined ? [[name, block] as const] : flattenBlock(name, block),
  );
  return Object.fromEntries(entries);
}

function flattenBlock(tag: string, block: SweepMetric): (readonly [string, SweepMetric])[] {
  // Without percentiles, the metric is a single value, and its minimum and maximum only repeat it.
  const isDistribution = PERCENTILES.some(name => block[name] !== undefined);
  const stats = isDistribution ? (['avg', 'min', 'max', 'sum', ...PERCENTILES] as const) : (['avg'] as const);
  return stats.flatMap(stat => {
    const mean = block[stat];
    return mean === undefined ? [] : [[`${tag}_${stat}`, { mean, unit: block.unit }] as const];
  });
}
