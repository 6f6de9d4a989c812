import { sum } from '../math.ts';
import { type RepeatedPrompts, readRepeatedPrompts } from '../run/repeatedPrompts.ts';
import { readBlockTokens, readCacheTokens } from '../servers/cacheSize.ts';
import { computeTotal, findServerInstances, type ServerInstance } from '../servers/serverInstance.ts';
import type { ServingSystem } from '../servers/servingSystem.ts';

/** Prompts that repeated, but were computed again. */
export interface LostReuse extends RepeatedPrompts {
  /** Share of the tokens of prompts that engines found in their caches. */
  readonly hitRate: number;
  /** The hit rate with a cache that keeps all prompts and with requests that reach it. */
  readonly possibleRate: number;
  /** Number of tokens of all different prompts. */
  readonly workingSet: number;
  /** Number of tokens that the caches of all engines hold. */
  readonly capacity: number;
}

/** Minimum number of requests, so that single prompts do not decide. */
const MIN_REQUESTS = 20;

/**
 * Compares the hit rate with the one that the prompts of the load generator allow. Returns undefined if no prompts repeat, or if
 * the hit rate, the size of a cache or of its blocks is unknown.
 */
export function findLostReuse({ run, engines }: ServingSystem): LostReuse | undefined {
  const repeated = readRepeatedPrompts(run);
  if (!repeated || repeated.requests < MIN_REQUESTS || engines.length === 0) return undefined;
  const instances = findServerInstances(run);
  const hitRate = readHitRate(instances);
  const blockTokens = findFirst(instances, readBlockTokens);
  const capacity = readCapacity(instances, engines.length);
  if (hitRate === undefined || blockTokens === undefined || capacity === undefined) return undefined;
  const { requests, prompts, promptTokens } = repeated;
  // The last token of a prompt is always computed, and only whole blocks are reused.
  const reusable = Math.floor((promptTokens - 1) / blockTokens) * blockTokens;
  return {
    ...repeated,
    hitRate,
    possibleRate: (1 - prompts / requests) * (reusable / promptTokens),
    workingSet: prompts * reusable,
    capacity,
  };
}

/** Reads the hit rate of the engines, or as they report it to the frontend. */
function readHitRate(instances: readonly ServerInstance[]): number | undefined {
  for (const kind of ['engine', 'frontend'] as const) {
    const list = instances.filter(({ definition }) => definition.kind === kind);
    const queries = sum(list.map(instance => computeTotal(instance, 'cacheQueries') ?? 0));
    if (queries > 0) return sum(list.map(instance => computeTotal(instance, 'cacheHits') ?? 0)) / queries;
  }
  return undefined;
}

/** Adds the caches of all engines. Otherwise, a frontend reports the size of one of them, which are then assumed to be equal. */
function readCapacity(instances: readonly ServerInstance[], engines: number): number | undefined {
  const own = instances.filter(({ definition }) => definition.kind === 'engine').map(readCacheTokens);
  if (own.length > 0 && own.every(size => size !== undefined)) return sum(own as readonly number[]);
  const size = findFirst(
    instances.filter(({ definition }) => definition.kind === 'frontend'),
    readCacheTokens,
  );
  return size === undefined ? undefined : size * engines;
}

function findFirst<T>(
  instances: readonly ServerInstance[],
  read: (instance: ServerInstance) => T | undefined,
): T | undefined {
  for (const instance of instances) {
    const value = read(instance);
    if (value !== undefined) return value;
  }
  return undefined;
}
