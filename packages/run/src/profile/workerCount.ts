import { availableParallelism } from 'node:os';
import { MAX_WORKERS, type PhaseOptions } from '@org/loadgen';
import type { ProfilePlan } from '../plan/profilePlan.ts';

/**
 * Returns the number of worker threads to start: at most the planned number, one per core, and one per request
 * that can be in flight. Undefined if the main thread sends the requests.
 */
export function countWorkers(
  { workers, profiling, warmup }: Pick<ProfilePlan, 'workers' | 'profiling' | 'warmup'>,
  cores: number = availableParallelism(),
): number | undefined {
  if (workers === undefined) return undefined;
  const slots = Math.max(countSlots(profiling), warmup ? countSlots(warmup) : 0);
  return Math.min(workers, cores, slots, MAX_WORKERS);
}

/** Returns the maximum number of requests in flight of a phase. */
function countSlots({ concurrency, requestCount, sessionCount }: PhaseOptions): number {
  const limits = [concurrency, requestCount, sessionCount];
  return Math.min(...limits.map(limit => limit ?? Number.POSITIVE_INFINITY));
}
