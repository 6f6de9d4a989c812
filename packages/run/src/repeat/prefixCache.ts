import { SERVERS } from '@org/servers';
import type { RunFigures } from './figures.ts';

/** Runs that differ by less may do so by chance. */
const LEAST_DIFFERENCE = 0.1;

/** Part of the prompt tokens that came out of a cache, from 0 to 1. */
export interface CachedShares {
  readonly first: number;
  /** The mean of the later runs. */
  readonly later: number;
}

/**
 * How far later runs of the same prompts were answered from the cache that the first one filled: then they measure something
 * else. Undefined when they were not, or when no server says so.
 */
export function cachedByRepetition(runs: readonly RunFigures[]): CachedShares | undefined {
  const shares = runs.map(cachedShare);
  const [first, ...others] = shares;
  const known = others.filter(share => share !== undefined);
  if (first === undefined || known.length === 0) return undefined;
  const later = known.reduce((sum, share) => sum + share, 0) / known.length;
  return later - first >= LEAST_DIFFERENCE ? { first, later } : undefined;
}

function cachedShare({ servers }: RunFigures): number | undefined {
  const total = (name: string): number =>
    servers
      .filter(({ metric }) => metric === name)
      .reduce((sum, { stats }) => sum + (stats.get('total')?.value ?? 0), 0);
  for (const { promptTokenCache } of SERVERS) {
    const all = promptTokenCache ? total(promptTokenCache.all) : 0;
    if (promptTokenCache && all > 0) return total(promptTokenCache.hits) / all;
  }
  return undefined;
}
