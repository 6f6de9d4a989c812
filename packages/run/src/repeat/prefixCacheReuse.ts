import type { RunStatistics } from '@org/record/aggregate';
import type { CountMetric, ServerCatalog } from '@org/servers';

/** Minimum difference between the shares to report. Smaller differences may be random. */
const MIN_DIFFERENCE = 0.1;

/** Shares of prompt tokens that were served from a prefix cache, from 0 to 1. */
export interface PrefixCacheReuse {
  /** Share in the first run. */
  readonly first: number;
  /** Mean share of the later runs. */
  readonly later: number;
}

/**
 * Detects whether later runs with the same prompts were served from the prefix cache that the first run
 * filled, so that their results are not comparable. Returns undefined if not, or if no server reports cache
 * hits.
 */
export function findPrefixCacheReuse(
  runs: readonly RunStatistics[],
  servers: ServerCatalog,
): PrefixCacheReuse | undefined {
  const shares = runs.map(run => computeCachedShare(run, servers));
  const [first, ...laterShares] = shares;
  const reportedShares = laterShares.filter(share => share !== undefined);
  if (first === undefined || reportedShares.length === 0) return undefined;
  const later = reportedShares.reduce((sum, share) => sum + share, 0) / reportedShares.length;
  return later - first >= MIN_DIFFERENCE ? { first, later } : undefined;
}

/** Computes the share of prompt tokens from the prefix cache; undefined if no server reports it. */
export function computeCachedShare(
  run: Pick<RunStatistics, 'servers'>,
  { servers }: ServerCatalog,
): number | undefined {
  for (const { promptTokenCache } of servers) {
    const totalTokens = promptTokenCache ? sumSeries(run, promptTokenCache.all) : 0;
    if (promptTokenCache && totalTokens > 0) return sumSeries(run, promptTokenCache.hits) / totalTokens;
  }
  return undefined;
}

function sumSeries({ servers }: Pick<RunStatistics, 'servers'>, { name, of }: CountMetric): number {
  return servers
    .filter(({ metric }) => metric === name)
    .reduce((sum, { stats }) => sum + (stats.get(of)?.value ?? 0), 0);
}
