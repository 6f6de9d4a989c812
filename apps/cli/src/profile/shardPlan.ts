import { formatShard, type Shard, selectShare } from '@org/core';
import { divideSources } from '@org/discovery';
import type { ProfilePlan } from '@org/run';
import { UsageError } from '@org/terminal';
import { createOptionError, type RawOptions } from '@org/terminal/program';
import { divideGpuPlan } from '../options/shardValues.ts';
import type { LoadPhases } from './loadPhases.ts';

/** Limits of a phase that each shard needs a part of, with the options that set them. */
const LIMITS = [
  ['concurrency', 'concurrency'],
  ['prefillConcurrency', 'prefill-concurrency'],
  ['requestCount', 'request-count'],
  ['sessionCount', 'num-sessions'],
] as const;

/** The options of the warm-up that set the same limits. */
const WARMUP_LIMITS: typeof LIMITS extends readonly (readonly [infer Field, string])[]
  ? readonly (readonly [Field, string])[]
  : never = [
  ['concurrency', 'warmup-concurrency'],
  ['prefillConcurrency', 'warmup-prefill-concurrency'],
  ['requestCount', 'warmup-request-count'],
  ['sessionCount', 'num-warmup-sessions'],
];

/**
 * Throws `UsageError` if the options of a run cannot be divided among shards: the seed is random, the load ends by itself in
 * each process, or a limit is too small.
 */
export function checkShard(raw: RawOptions, { count }: Shard, { profiling, warmup }: LoadPhases): void {
  if (raw['random-seed'] === undefined)
    throw new UsageError('--shard requires --random-seed, so that all shards divide the same load');
  rejectAiperfFiles(raw);
  if (raw['stop-over-saturated'] === true && count > 1)
    throw new UsageError(
      'cannot use both --shard and --stop-over-saturated: each shard would end its part of the load at another time',
    );
  checkLimits(profiling, LIMITS, count);
  if (warmup) checkLimits(warmup, WARMUP_LIMITS, count);
}

/** Throws `UsageError` if a shard would write files of AIPerf, or omit its requests: `servelens merge` needs both. */
function rejectAiperfFiles(raw: RawOptions): void {
  if (raw.compat !== undefined && raw.compat !== 'servelens')
    throw new UsageError(
      `cannot use both --shard and --compat ${String(raw.compat)}, whose files have no place for the shard`,
    );
  if (raw['export-level'] === 'summary')
    throw new UsageError(
      'cannot use both --shard and --export-level summary, because servelens merge needs the requests of each shard',
    );
}

function checkLimits(
  phase: LoadPhases['profiling'],
  limits: readonly (readonly [(typeof LIMITS)[number][0], string])[],
  count: number,
): void {
  for (const [field, name] of limits) {
    const limit = phase[field];
    if (limit !== undefined && limit < count)
      throw createOptionError(
        name,
        limit,
        `at least ${count}, because --shard divides it among ${count} shards`,
      );
  }
}

/** Throws `UsageError`: the runs of a sweep, a search or a repetition do not start at the same time in all processes. */
export function rejectShardedRuns(raw: RawOptions): void {
  const option = ['shard', 'start-at'].find(name => raw[name] !== undefined);
  if (option !== undefined)
    throw new UsageError(
      `cannot use --${option} with several runs (a list to sweep, a search or --num-profile-runs): their starts differ between processes; start the shards of each run separately`,
    );
}

/**
 * Returns the plan of a shard, which scrapes only its part of the endpoints and of those that sources find.
 */
export function toShardPlan(plan: ProfilePlan, shard: Shard | undefined): ProfilePlan {
  if (!shard) return plan;
  const { gpuTelemetry: allGpus, sources, ...others } = plan;
  const gpuTelemetry = divideGpuPlan(allGpus, shard);
  return {
    ...others,
    shard,
    targets: selectShare(plan.targets, shard),
    ...(sources ? { sources: divideSources(sources, plan.targets, shard) } : {}),
    ...(gpuTelemetry ? { gpuTelemetry } : {}),
  };
}

/** Formats the end of the default name of a shard's artifact folder. */
export function formatShardSuffix(shard: Shard | undefined): string {
  return shard ? `-shard_${formatShard(shard).replace('/', '_of_')}` : '';
}
