import { availableParallelism } from 'node:os';
import { countShare } from '@org/core';
import { findMaxInFlight, MAX_WORKERS } from '@org/loadgen';
import type { ProfilePlan } from '../plan/profilePlan.ts';

/**
 * Returns the number of worker threads to start: at most the planned number, one per core, and one per request
 * that can be in flight. Undefined if the main thread sends the requests.
 */
export function countWorkers(
  { workers, profiling, warmup, shard }: Pick<ProfilePlan, 'workers' | 'profiling' | 'warmup' | 'shard'>,
  cores: number = availableParallelism(),
): number | undefined {
  if (workers === undefined) return undefined;
  const slots = Math.max(findMaxInFlight(profiling), warmup ? findMaxInFlight(warmup) : 0);
  return Math.min(workers, cores, shard ? countShare(slots, shard) : slots, MAX_WORKERS);
}
