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

/**
 * Reports whether the mean and the maximum of a metric are unknown. AIPerf writes 0 for those of `adj_*`, in which failed
 * requests count as infinitely slow.
 */
export function hasUnknownMean(
  tag: string,
  { mean, min, max }: Partial<Pick<SweepMetric, 'mean' | 'min' | 'max'>>,
): boolean {
  return tag.startsWith('adj_') && mean === 0 && max === 0 && min !== undefined && min > 0;
}

function flattenBlock(tag: string, block: SweepMetric): (readonly [string, SweepMetric])[] {
  // Without percentiles, the metric is a single value, and its minimum and maximum only repeat it.
  const isDistribution = PERCENTILES.some(name => block[name] !== undefined);
  const stats = isDistribution ? (['avg', 'min', 'max', 'sum', ...PERCENTILES] as const) : (['avg'] as const);
  const knownStats = hasUnknownMean(tag, block)
    ? stats.filter(stat => stat !== 'avg' && stat !== 'max')
    : stats;
  return knownStats.flatMap(stat => {
    const mean = block[stat];
    return mean === undefined ? [] : [[`${tag}_${stat}`, { mean, unit: block.unit }] as const];
  });
}
