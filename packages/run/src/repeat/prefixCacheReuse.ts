import { SERVERS } from '@org/servers';
import type { RunFigures } from './runFigures.ts';

/** Smaller differences between runs may be random. */
const MIN_DIFFERENCE = 0.1;

/** Shares of prompt tokens that were served from a prefix cache, from 0 to 1. */
export interface PrefixCacheReuse {
  /** Share in the first run. */
  readonly first: number;
  /** Mean share of the later runs. */
  readonly later: number;
}

/**
 * Detects that later runs with the same prompts were served from the prefix cache that the first run filled, so that they
 * measured different work. Returns undefined if they were not, or if no server reports it.
 */
export function findPrefixCacheReuse(runs: readonly RunFigures[]): PrefixCacheReuse | undefined {
  const shares = runs.map(computeCachedShare);
  const [first, ...others] = shares;
  const known = others.filter(share => share !== undefined);
  if (first === undefined || known.length === 0) return undefined;
  const later = known.reduce((sum, share) => sum + share, 0) / known.length;
  return later - first >= MIN_DIFFERENCE ? { first, later } : undefined;
}

function computeCachedShare({ servers }: RunFigures): number | undefined {
  const sumTotals = (name: string): number =>
    servers
      .filter(({ metric }) => metric === name)
      .reduce((sum, { stats }) => sum + (stats.get('total')?.value ?? 0), 0);
  for (const { promptTokenCache } of SERVERS) {
    const all = promptTokenCache ? sumTotals(promptTokenCache.all) : 0;
    if (promptTokenCache && all > 0) return sumTotals(promptTokenCache.hits) / all;
  }
  return undefined;
}
